import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getOrCreate } from "../runtime/cache.ts";
import en from "./en.json" with { type: "json" };
import { matchLanguages } from "./match-languages.ts";

/** Key of a message, such as "cart.soldOut". */
export type MessageKey = keyof typeof en;

/** Values of placeholders by name. */
export type MessageValues = Readonly<Record<string, string | number>>;

/**
 * Returns a message in which `{name}` is replaced by `values.name`. The plural form depends on `values.count`.
 * @example getMessages("fr")("cart.soldOut", { title: "Tote" }) // "Tote est épuisé."
 */
export type Messages<Key extends string = MessageKey> = (key: Key, values?: MessageValues) => string;

/** Messages by key. A message that contains a count has one text for each plural form of `Intl.PluralRules`. */
export type MessageTexts<Key extends string = MessageKey> = Readonly<Record<Key, string | PluralForms>>;
type PluralForms = { readonly [category in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** Returns the codes of the languages for which a folder has a file, such as "pt-BR". */
export function listMessagesLanguages(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? []);
}

const messagesLanguages = listMessagesLanguages(import.meta.dirname);

/**
 * Returns the messages in a language that the server shows to shoppers. Messages of themes are separate.
 * @param locale for example "pt-BR"; English if there is no translation
 */
export function getMessages(locale: string): Messages {
  return getOrCreate(messagesByLocale, locale, () => {
    const language = chooseMessagesLanguage(locale);
    return createMessages(language, readMessageTexts(language));
  });
}

/** The messages of a language are loaded when the first one is needed, because most shops use few languages. */
const messagesByLocale = new Map<string, Messages>();

/** Returns the language in which shoppers of a locale see messages: "pt-BR" for "pt", "en" without a translation. */
export function chooseMessagesLanguage(locale: string): string {
  return matchLanguages(locale, messagesLanguages)[0] ?? "en";
}

/** Reads the texts of the messages to shoppers in one of their languages. */
export function readMessageTexts(language: string): MessageTexts {
  return language === "en" ? en : JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), "utf8"));
}

/** @param formatNumber formats values that are numbers. Default: without separators */
export function createMessages<Key extends string>(
  language: string,
  texts: MessageTexts<Key>,
  formatNumber: (value: number) => string = String,
): Messages<Key> {
  const pluralRules = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const message = texts[key];
    const text =
      typeof message === "string" ? message : (message[pluralRules.select(Number(values.count))] ?? message.other);
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name] ?? placeholder;
      return typeof value === "number" ? formatNumber(value) : value;
    });
  };
}

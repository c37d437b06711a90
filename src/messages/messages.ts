import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getOrCreate } from "../runtime/cache.ts";
import en from "./en.json" with { type: "json" };
import { matchLanguages } from "./match-languages.ts";

/** Key of a message, such as "cart.soldOut". */
export type MessageKey = keyof typeof en;

/**
 * Returns a message in which `{name}` is replaced by `values.name`. The plural form depends on `values.count`.
 * @example getMessages("fr")("cart.soldOut", { title: "Tote" }) // "Tote est épuisé."
 */
export type Messages = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

/**
 * Returns the messages in a language that the server shows to shoppers. Messages of themes are separate.
 * @param locale for example "pt-BR"; English if there is no translation
 */
export function getMessages(locale: string): Messages {
  return getOrCreate(messagesByLocale, locale, () => readMessages(chooseMessagesLanguage(locale)));
}

/** Returns the language in which shoppers of a locale see messages: "pt-BR" for "pt", "en" without a translation. */
export function chooseMessagesLanguage(locale: string): string {
  return matchLanguages(locale, languages)[0] ?? "en";
}

/** Messages by key. A message that contains a count has one text for each plural form of `Intl.PluralRules`. */
type MessageTexts = Readonly<Record<MessageKey, string | PluralForms>>;
type PluralForms = { readonly [category in Intl.LDMLPluralRule]?: string } & { readonly other: string };

const languages = readdirSync(import.meta.dirname).flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? []);
/** The messages of a language are loaded when the first one is needed, because most shops use few languages. */
const messagesByLocale = new Map<string, Messages>();

function readMessages(language: string): Messages {
  const texts: MessageTexts =
    language === "en" ? en : JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), "utf8"));
  return createMessages(language, texts);
}

function createMessages(language: string, texts: MessageTexts): Messages {
  const pluralRules = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const message = texts[key];
    const text =
      typeof message === "string" ? message : (message[pluralRules.select(Number(values.count))] ?? message.other);
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
  };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createMessages,
  listMessagesLanguages,
  type MessageKey,
  type Messages,
  type MessageTexts,
  readMessageTexts,
} from "../messages/messages.ts";
import { getOrCreate } from "../runtime/cache.ts";

/** Key of a text of the console, or of a message to shoppers that the console also shows. */
export type ConsoleMessageKey = ConsoleOnlyKey | MessageKey;

type ConsoleOnlyKey = keyof typeof import("./messages/en.json");

/**
 * Returns the texts of the console in a language. They are read when a console page is rendered for the first time,
 * because most servers show few languages.
 * @param language one of {@link consoleLanguages}
 */
export function getConsoleMessages(language: string): Messages<ConsoleMessageKey> {
  return getOrCreate(messagesByLanguage, language, () => {
    const numberFormat = new Intl.NumberFormat(language);
    const texts = { ...readMessageTexts(language), ...readConsoleTexts(language) };
    return createMessages(language, texts, (value) => numberFormat.format(value));
  });
}

const messagesByLanguage = new Map<string, Messages<ConsoleMessageKey>>();

const textsFolder = join(import.meta.dirname, "messages");

/** Codes of the languages of the console. */
export const consoleLanguages = listMessagesLanguages(textsFolder);

/** Reads the texts that only the console shows. */
export function readConsoleTexts(language: string): MessageTexts<ConsoleOnlyKey> {
  return JSON.parse(readFileSync(join(textsFolder, `${language}.json`), "utf8"));
}

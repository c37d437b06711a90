import type { Config } from "../../config/settings.ts";
import { matchLanguages } from "../../messages/match-languages.ts";
import { chooseMessagesLanguage } from "../../messages/messages.ts";
import type { CheckContext } from "./check-context.ts";

/**
 * Reports languages of the shop into which the theme or the server is not translated. Shoppers then see another
 * language.
 */
export function checkLanguages(context: CheckContext, locales: Config["locales"]): void {
  // Without a store, the languages of the shop are unknown.
  if (context.store === undefined) return;
  for (const locale of [locales.default, ...locales.others]) {
    const themeLanguage = context.theme.getDisplayLanguage(locale);
    const serverLanguage = chooseMessagesLanguage(locale);
    const themeProblem = `the theme has no texts in ${nameOf(locale)} and shows ${nameOf(themeLanguage)}: add locales/${locale}.json to it`;
    const serverProblem = `emails and messages of the cart are not translated to ${nameOf(locale)} and are in ${nameOf(serverLanguage)}: write emails in notifications/`;
    const problems = [
      ...(isSupported(themeLanguage, locale) ? [] : [themeProblem]),
      ...(isSupported(serverLanguage, locale) ? [] : [serverProblem]),
    ];
    if (problems.length > 0) context.add("warning", "missing-language", { file: "locales" }, problems.join("; "));
  }
}

function isSupported(language: string, locale: string): boolean {
  return matchLanguages(locale, [language]).length > 0;
}

/** Returns the English name of a language with its code: "Hebrew (he)". */
function nameOf(locale: string): string {
  return `${new Intl.DisplayNames("en", { type: "language" }).of(locale) ?? locale} (${locale})`;
}

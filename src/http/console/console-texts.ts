import type { ChangeActor } from "../../catalog/catalog-log.ts";
import { type ConsoleMessageKey, consoleLanguages, getConsoleMessages } from "../../console/console-messages.ts";
import { translateReportedText } from "../../console/translate-reported.ts";
import { matchLanguages } from "../../messages/match-languages.ts";
import type { MessageValues } from "../../messages/messages.ts";
import { getTextDirection } from "../../messages/text-direction.ts";
import { formatMoney } from "../../pricing/money.ts";
import type { Problem } from "../../problem.ts";
import { getOrCreate } from "../../runtime/cache.ts";
import type { TokenScope } from "../../security/api-token.ts";
import type { Shop } from "../../shop.ts";
import type { StoreRequest } from "../wire/request.ts";
import { parseWeights } from "../wire/weights.ts";
import { createConsoleCookie, readConsoleCookies } from "./console-cookies.ts";
import { type Markup, type MarkupValue, markup } from "./markup.ts";

/** Texts, numbers, and dates in the language of a console user. */
export interface ConsoleTexts {
  /** Code such as "pt-BR". */
  readonly language: string;
  /** Returns a text. Values that are numbers are formatted; pass numbers of orders as strings. */
  get(key: ConsoleMessageKey, values?: MessageValues): string;
  /** Returns a text as HTML. Values other than the count may be HTML, too, such as a command as `<code>`. */
  render(key: ConsoleMessageKey, values: Readonly<Record<string, MarkupValue>>): Markup;
  /** Translates a text that another module reports in English.  @returns undefined if the text has no translation */
  translate(text: string): string | undefined;
  formatNumber(value: number, options?: Intl.NumberFormatOptions): string;
  /** Formats a part of a whole as a percentage without decimals.  @param share from 0 to 1 */
  formatShare(share: number): string;
  /** @param amount minor units */
  formatMoney(amount: number, currency: string): string;
  formatList(items: readonly string[], type?: Intl.ListFormatType): string;
  /** Formats the day of a time.  @param timezone an IANA name */
  formatDay(timestamp: number, timezone: string): string;
  /** Renders a time, both readable and machine-readable.  @param timezone an IANA name */
  renderTime(timestamp: number, timezone: string): Markup;
}

/** Returns the texts in the language of a user's choice, or else of the browser, or else of the shop. */
export function findTexts({ config }: Pick<Shop, "config">, request: StoreRequest): ConsoleTexts {
  const [chosenLanguage = ""] = readConsoleCookies(request, COOKIE_NAME);
  return getTexts(
    parseConsoleLanguage(chosenLanguage) ??
      matchAcceptedLanguage(request.headers["accept-language"] ?? "") ??
      matchLanguages(config.locales.default, consoleLanguages)[0] ??
      "en",
  );
}

/** Returns the code of a language in which the console has texts, or undefined. */
export function parseConsoleLanguage(text: unknown): string | undefined {
  return consoleLanguages.find((language) => language === text);
}

/** Returns the cookie that stores the language that a user chose. */
export function createLanguageCookie(request: StoreRequest, language: string): string {
  return createConsoleCookie(request, COOKIE_NAME, language, LANGUAGE_LIFETIME_SECONDS);
}

const COOKIE_NAME = "console_language";
const LANGUAGE_LIFETIME_SECONDS = 31_536_000;
const MAX_HEADER_LENGTH = 500;

/** @param header value of `Accept-Language`, such as "de-AT,de;q=0.9,en;q=0.8" */
function matchAcceptedLanguage(header: string): string | undefined {
  const ranges = parseWeights(header.slice(0, MAX_HEADER_LENGTH))
    .filter(([tag, weight]) => tag !== "" && weight > 0)
    .toSorted(([, a], [, b]) => b - a);
  return ranges.flatMap(([tag]) => matchLanguages(tag, consoleLanguages).slice(0, 1))[0];
}

function getTexts(language: string): ConsoleTexts {
  return getOrCreate(textsByLanguage, language, () => createTexts(language));
}

const textsByLanguage = new Map<string, ConsoleTexts>();

function createTexts(language: string): ConsoleTexts {
  const getMessage = getConsoleMessages(language);
  const isRightToLeft = getTextDirection(language) === "rtl";
  const get: ConsoleTexts["get"] = (key, values) =>
    getMessage(key, values && isRightToLeft ? separateValues(values) : values);
  // Dates in British English have the 24-hour clock and an unambiguous order of day and month.
  const dateLocale = language === "en" ? "en-GB" : language;
  const numberFormat = new Intl.NumberFormat(language);
  const shareFormat = new Intl.NumberFormat(language, { style: "percent" });
  return {
    language,
    get,
    render: (key, { count, ...values }) => {
      const parts = get(key, typeof count === "number" ? { count } : {}).split(/\{(\w+)\}/);
      return markup`${parts.map((part, index) => (index % 2 === 0 ? part : values[part]))}`;
    },
    translate: (text) => translateReportedText(text, language),
    formatNumber: (value, options) =>
      options === undefined ? numberFormat.format(value) : value.toLocaleString(language, options),
    formatShare: (share) => shareFormat.format(share),
    formatMoney: (amount, currency) => formatMoney(amount, currency, language),
    formatList: (items, type = "conjunction") => new Intl.ListFormat(language, { type }).format(items),
    formatDay: (timestamp, timezone) =>
      new Date(timestamp).toLocaleDateString(dateLocale, { timeZone: timezone, dateStyle: "medium" }),
    renderTime: (timestamp, timezone) => {
      const date = new Date(timestamp);
      const text = date.toLocaleString(dateLocale, { timeZone: timezone, dateStyle: "medium", timeStyle: "short" });
      return markup`<time datetime="${date.toISOString()}">${text}</time>`;
    },
  };
}

/** Adds right-to-left marks, so that punctuation next to a Latin value keeps its position in a right-to-left text. */
function separateValues(values: MessageValues): MessageValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "number" ? value : `\u200f${value}\u200f`]),
  );
}

/**
 * Attributes of the element with the result of a form. A new page has no focus, and screen readers do not announce its
 * status, so the result gets the focus.
 */
export const resultFocus = markup` tabindex="-1" autofocus`;

/** Renders the error of a rejected form.  @param id id of the element, if a field with the focus refers to it */
export function renderAlert(content: MarkupValue, id?: string): Markup {
  return markup`<p class="fault" role="alert"${id === undefined ? resultFocus : markup` id="${id}"`}>${content}</p>`;
}

/** Renders a notice that a change was made.  @param key undefined for no notice */
export function renderNotice(texts: ConsoleTexts, key: ConsoleMessageKey | undefined): Markup | undefined {
  return key === undefined ? undefined : renderSuccess(texts.get(key));
}

/** Renders the result of a successful form. */
export function renderSuccess(content: MarkupValue): Markup {
  return markup`<p class="done" role="status"${resultFocus}>${content}</p>`;
}

/** Renders links to the previous and to the next page of a list, if there are any. */
export function renderPageLinks(
  texts: ConsoleTexts,
  paths: Readonly<Partial<Record<"previous" | "next", string | false | undefined>>>,
): MarkupValue {
  const links = (["previous", "next"] as const).map(
    (name) => paths[name] && markup`<a href="${paths[name]}">${texts.get(`labels.${name}`)}</a>`,
  );
  return links.some(Boolean) && markup`<nav aria-label="${texts.get("labels.pages")}" class="row">${links}</nav>`;
}

/** Translates an error, or each error of a form with several errors. */
export function describeProblem(texts: ConsoleTexts, { fields, message }: Problem): MarkupValue {
  if (texts.language === "en") return message;
  const messages = [...new Set(fields.map((field) => field.message))];
  const parts = message === messages.join(" ") ? messages : [message];
  return parts.map((text, index) => [
    index > 0 && " ",
    texts.translate(text) ?? texts.render("errors.other", { message: markEnglish(text) }),
  ]);
}

/** Marks a text that has no translation, such as an error of another server, as English. */
export function markEnglish(text: string): Markup {
  return markup`<span lang="en" dir="ltr">${text}</span>`;
}

/** Describes the author of a change. */
export function describeActor(texts: ConsoleTexts, { source, token }: ChangeActor): string {
  if (source === "command_line") return texts.get("log.commandLine");
  if (source === "files") return texts.get("log.files");
  if (source === "payment") return texts.get("log.provider");
  const name = token?.name === "" ? texts.get("log.token", { id: token.id }) : (token?.name ?? "");
  return source === "api" ? texts.get("log.api", { name }) : name;
}

/** Names of the kinds of catalog entries. */
export const entryKindNames = {
  product: "nav.products",
  collection: "labels.collections",
  page: "labels.pages",
  article: "labels.articles",
  bundle: "labels.bundles",
} as const;

/** Explains how to log in with a token that has a scope. */
export function explainScope(texts: ConsoleTexts, scope: TokenScope): Markup {
  const command = markup`<code>vitrine token create --scopes console,${scope}</code>`;
  return texts.render("errors.viewOnly", { command });
}

import type { MessageValues } from "../messages/messages.ts";
import { type ConsoleMessageKey, getConsoleMessages, readConsoleTexts } from "./console-messages.ts";

/**
 * Translates a text that another module reports in English, such as an error of the HTTP API or a part of a search
 * result's score. These modules also report to developers and logs, so they have no other language. The text is
 * recognized by the English texts whose keys start with "reported.".
 * @returns undefined if the text is not among them
 */
export function translateReportedText(text: string, language: string): string | undefined {
  if (language === "en") return text;
  for (const { pattern, key } of listPatterns()) {
    const match = pattern.exec(text);
    if (match !== null) return getConsoleMessages(language)(key, translateValues(match.groups ?? {}, language));
  }
  return undefined;
}

/** Values that are reported texts, too. */
const nestedValues: readonly string[] = ["message", "reason", "countries"];

function translateValues(groups: Readonly<Record<string, string>>, language: string): MessageValues {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => {
      if (name === "count") return [name, Number(value.replaceAll(",", ""))];
      if (name === "settings") return [name, value.replaceAll(" and ", ", ").replaceAll(" or ", " / ")];
      if (name === "fields") return [name, translateFields(value, language)];
      return [name, nestedValues.includes(name) ? (translateReportedText(value, language) ?? value) : value];
    }),
  );
}

/** Translates the fields of a match, such as "title (at its start, of 3 words), tags". */
function translateFields(fields: string, language: string): string {
  return fields.replace(/[^,()]*[^,() ]/g, (text) => {
    const [, space = "", field = ""] = /^( *)(.*)$/.exec(text) ?? [];
    return space + (translateReportedText(field, language) ?? field);
  });
}

interface ReportedPattern {
  readonly pattern: RegExp;
  readonly key: ConsoleMessageKey;
}

let patterns: readonly ReportedPattern[] | undefined;

/** Returns the patterns of the reported texts: first those that contain another text, then those with most letters. */
function listPatterns(): readonly ReportedPattern[] {
  patterns ??= Object.entries(readConsoleTexts("en"))
    .filter(([key]) => key.startsWith("reported."))
    .flatMap(([key, text]) =>
      (typeof text === "string" ? [text] : Object.values(text)).map(
        (form) => [key as ConsoleMessageKey, form] as const,
      ),
    )
    .toSorted(
      ([, a], [, b]) =>
        Number(b.includes("{message}")) - Number(a.includes("{message}")) || countLetters(b) - countLetters(a),
    )
    .map(([key, form]) => ({ key, pattern: createPattern(form) }));
  return patterns;
}

function countLetters(text: string): number {
  return text.replaceAll(/\{\w+\}/g, "").length;
}

function createPattern(text: string): RegExp {
  const source = text
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? RegExp.escape(part) : part === "count" ? "(?<count>[\\d,]+)" : `(?<${part}>.+?)`,
    )
    .join("");
  return new RegExp(`^${source}$`, "s");
}

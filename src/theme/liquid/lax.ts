import { Tokenizer } from "liquidjs";
import { liquidOperators } from "./operators.ts";

/** What Ruby's Liquid makes of an expression that is not well formed, as text that is: fragments (texts in quotes, words without blanks, commas
 *  and bars) are found, and whatever stands between them is passed over. */

/** Of `{{ … }}`, `assign` and conditions. @see Shopify/liquid, `Variable#lax_parse` and `If#lax_parse` */
export function wellFormed(markup: string): string {
  const [condition = "", ...filters] = splitAtBars(markup).filter((part) => part !== "|");
  return [conditionIn(condition), ...filters.map(filterIn).filter((filter) => filter !== "")].join(" | ");
}

/** Of the arguments of `render` and `include` those with a name: `article, size: 2` is `size: 2`. @see Shopify/liquid, `TagAttributes` */
export function namedArguments(markup: string): string {
  return (markup.match(namedArgument) ?? []).join(", ");
}

const fragment = /"[^"]*"|'[^']*'|(?:[^\s,|'"]|"[^"]*"|'[^']*')+/;
const argument = new RegExp(`[:,]\\s*(?:(\\w[\\w-]*)\\s*:\\s*)?(${fragment.source})`, "g");
const namedArgument = new RegExp(`\\w[\\w-]*\\s*:\\s*(?:${fragment.source})`, "g");
const comparison = new RegExp(`(${fragment.source})\\s*([=!<>a-z_]+)?\\s*(${fragment.source})?`);
const knownOperators = new Set(Object.keys(liquidOperators));

/** What stands in a condition where an operator should: `=` of `a = 1`. Ruby reads the template and fails when it comes to the condition. */
export function unknownOperator(markup: string): string | undefined {
  for (const part of splitAtWords(splitAtBars(markup)[0] ?? "")) {
    // Braces around a value are passed over.
    const [, , operator, right] = comparison.exec(part.replace(/[{}]/g, " ")) ?? [];
    if (operator !== undefined && right !== undefined && !knownOperators.has(operator)) return operator;
  }
  return undefined;
}

/** The parts between bars that stand outside of quotes. */
function splitAtBars(markup: string): string[] {
  return splitAt(markup, /"[^"]*"|'[^']*'|\|/g, ["|"]);
}

/** The comparisons between `and` and `or`, which have the places with odd numbers. */
function splitAtWords(markup: string): string[] {
  return splitAt(markup, /"[^"]*"|'[^']*'|(?<=\s)(?:and|or)(?=\s)/g, ["and", "or"]);
}

function splitAt(markup: string, pattern: RegExp, separators: readonly string[]): string[] {
  const parts: string[] = [];
  let begin = 0;
  for (const { 0: found, index } of markup.matchAll(pattern)) {
    if (!separators.includes(found)) continue;
    parts.push(markup.slice(begin, index), found);
    begin = index + found.length;
  }
  return [...parts, markup.slice(begin)];
}

function conditionIn(markup: string): string {
  return splitAtWords(markup)
    .map((part, index) => (index % 2 === 1 ? part : comparisonIn(part)))
    .join(" ");
}

function comparisonIn(markup: string): string {
  const [, left = "", operator, right] = comparison.exec(markup) ?? [];
  if (operator === undefined || right === undefined || !knownOperators.has(operator)) return valueIn(left);
  return `${valueIn(left)} ${operator} ${valueIn(right)}`;
}

function filterIn(markup: string): string {
  const name = /\w+/.exec(markup);
  if (name === null) return "";
  const rest = markup.slice(name.index + name[0].length);
  const given = [...rest.matchAll(argument)].map(
    ([, key, value = ""]) => (key === undefined ? "" : `${key}: `) + valueIn(value),
  );
  return given.length === 0 ? name[0] : `${name[0]}: ${given.join(", ")}`;
}

/** A literal as it is, otherwise the names in it: `a['b` is `a.b`. */
function valueIn(text: string): string {
  if (/^(?:"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?)$/.test(text)) return text;
  const names = text.match(/[A-Za-z_][\w-]*\??|\d+/g) ?? [];
  return names.length === 0
    ? "nil"
    : names
        .map((name, index) => (index > 0 && /^\d/.test(name) ? `[${name}]` : `${index > 0 ? "." : ""}${name}`))
        .join("");
}

type FilteredValue = ReturnType<Tokenizer["readFilteredValue"]>;

/** Whether an expression is not well formed. */
export function isLax(value: FilteredValue): boolean {
  return readFromOther.has(value);
}

/** Expressions that were read in the place of what stands in the file. */
const readFromOther = new WeakSet<FilteredValue>();

/** Reads what `strict` refuses. It counts lines as the file does. */
export function readLaxly(tokenizer: Tokenizer, strict: (this: Tokenizer) => FilteredValue): FilteredValue {
  const { input, p: begin, N: end, file } = tokenizer;
  try {
    return strict.call(tokenizer);
  } catch {
    let lines = "";
    for (let at = input.indexOf("\n"); at >= 0 && at < begin; at = input.indexOf("\n", at + 1)) lines += "\n";
    const text = lines + wellFormed(input.slice(begin, end));
    const other = new Tokenizer(text, liquidOperators, file, [lines.length, text.length]);
    tokenizer.p = end;
    const value = strict.call(other);
    readFromOther.add(value);
    return value;
  }
}

/** A change of one setting. Undefined removes the setting. */
export interface SettingChange {
  readonly path: SettingPath;
  readonly value: unknown;
}

/** Keys of objects and indices of lists that lead to a setting. */
export type SettingPath = readonly (string | number)[];

/** An expression in the source of the settings, with its offsets. */
interface Expression {
  readonly start: number;
  readonly end: number;
  /** Properties of an object literal or items of a list literal. Undefined for other expressions. */
  readonly entries?: readonly Entry[];
  readonly kind: "object" | "list" | "literal" | "code";
}

interface Entry {
  /** Undefined for a spread or a computed key. */
  readonly key: string | number | undefined;
  readonly start: number;
  readonly value: Expression;
}

/**
 * Changes settings in the source of a settings file. The rest of the file, such as comments, stays the same.
 * @returns undefined if a setting is computed by code, so that the file must be edited by hand. The caller must load the
 * result and compare it, because code elsewhere in the file can change the exported object
 */
export function changeSettingsSource(text: string, changes: readonly SettingChange[]): string | undefined {
  let result = text;
  for (const { path, value } of changes) {
    const root = parseSource(result);
    const edit = root && findEdit(result, root, path, value);
    if (edit === undefined) return undefined;
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  }
  return result;
}

/** Returns the paths of the settings that are computed by code, such as `["mail", "smtp"]`. */
export function findComputedSettings(text: string): readonly SettingPath[] {
  const collect = ({ kind, entries = [] }: Expression, path: SettingPath): readonly SettingPath[] =>
    kind === "code"
      ? [path]
      : entries.flatMap(({ key, value }) => (key === undefined ? [] : collect(value, [...path, key])));
  const root = parseSource(text);
  return root === undefined ? [[]] : collect(root, []);
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function findEdit(text: string, parent: Expression, path: SettingPath, value: unknown): Edit | undefined {
  const [key, ...rest] = path;
  if (parent.entries === undefined || key === undefined) return undefined;
  const entry = parent.entries.findLast((candidate) => candidate.key === key);
  const indent = getIndent(text, entry?.start ?? parent.start);
  if (entry === undefined) {
    if (parent.kind === "list") return undefined;
    const nestedValue = rest.reduceRight((innerValue, name) => ({ [name]: innerValue }), value);
    return value === undefined
      ? { start: 0, end: 0, text: "" }
      : insertProperty(text, parent, String(key), nestedValue);
  }
  if (rest.length > 0) return findEdit(text, entry.value, rest, value);
  if (value === undefined) return removeEntry(text, parent, entry);
  if (containsCode(entry.value)) return undefined;
  return { start: entry.value.start, end: entry.value.end, text: formatSetting(value, indent) };
}

function containsCode({ kind, entries = [] }: Expression): boolean {
  return kind === "code" || entries.some(({ value }) => containsCode(value));
}

function insertProperty(text: string, parent: Expression, key: string, value: unknown): Edit {
  const lastEntry = parent.entries?.at(-1);
  const isMultiline = text.slice(parent.start, parent.end).includes("\n");
  if (lastEntry === undefined) {
    const indent = getIndent(text, parent.start);
    const property = `${formatKey(key)}: ${formatSetting(value, `${indent}  `)}`;
    const hasComment = text.slice(parent.start + 1, parent.end - 1).trim() !== "";
    return hasComment
      ? { start: parent.start + 1, end: parent.start + 1, text: `\n${indent}  ${property},` }
      : {
          start: parent.start,
          end: parent.end,
          text: isMultiline ? `{\n${indent}  ${property},\n${indent}}` : `{ ${property} }`,
        };
  }
  const indent = getIndent(text, lastEntry.start);
  const property = `${formatKey(key)}: ${formatSetting(value, indent)}`;
  const comma = findComma(text, lastEntry.value.end);
  const isOnOwnLine = isMultiline && text.slice(parent.start, lastEntry.start).includes("\n");
  if (!isOnOwnLine) return { start: lastEntry.value.end, end: lastEntry.value.end, text: `, ${property}` };
  const start = comma === undefined ? lastEntry.value.end : comma + 1;
  const comments = lineComments.exec(text.slice(start))?.[0] ?? "";
  return {
    start,
    end: start + comments.length,
    text: `${comma === undefined ? "," : ""}${comments}\n${indent}${property},`,
  };
}

/** Comments up to the end of a line. */
const lineComments = /^(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/))*/;

function removeEntry(text: string, { entries = [] }: Expression, entry: Entry): Edit {
  const comma = findComma(text, entry.value.end);
  const previous = entries[entries.indexOf(entry) - 1];
  // Without a comma after the last entry, the comma before it is removed.
  if (comma === undefined && previous !== undefined) {
    const start = previous.value.end;
    const previousComma = findComma(text, start) ?? start;
    const comments = text.slice(start, previousComma) + text.slice(previousComma + 1, entry.start);
    const isLineEnd = /^[ \t]*\r?\n/.test(text.slice(entry.value.end));
    // The code after a comment must not become a part of it.
    return {
      start,
      end: entry.value.end,
      text: isLineEnd || comments.trim() === "" ? comments.trimEnd() : comments,
    };
  }
  const end = comma === undefined ? entry.value.end : comma + 1;
  const lineStart = text.lastIndexOf("\n", entry.start) + 1;
  const lineEnd = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end))?.[0].length;
  if (text.slice(lineStart, entry.start).trim() === "" && lineEnd !== undefined)
    return { start: lineStart, end: end + lineEnd, text: "" };
  return { start: entry.start, end: end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0), text: "" };
}

/** Returns the offset of the comma that follows an expression. */
function findComma(text: string, end: number): number | undefined {
  for (const { 0: token, index } of text.slice(end).matchAll(tokens))
    if (!isComment(token)) return token === "," ? end + index : undefined;
  return undefined;
}

function getIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

/** Maximum length of a line. */
const MAX_LINE_LENGTH = 100;

/** Formats a value as a JavaScript literal.  @param indent spaces before the setting */
function formatSetting(value: unknown, indent: string): string {
  if (typeof value === "string") return formatText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const format = (itemIndent: string): readonly string[] =>
    Array.isArray(value)
      ? value.map((item) => formatSetting(item, itemIndent))
      : Object.entries(value).flatMap(([key, item]) =>
          item === undefined ? [] : [`${formatKey(key)}: ${formatSetting(item, itemIndent)}`],
        );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const items = format(indent);
  if (items.length === 0) return `${open}${close}`;
  const padding = Array.isArray(value) ? "" : " ";
  const line = `${open}${padding}${items.join(", ")}${padding}${close}`;
  if (line.length + indent.length <= MAX_LINE_LENGTH && !line.includes("\n")) return line;
  const itemIndent = `${indent}  `;
  return `${open}\n${format(itemIndent)
    .map((item) => `${itemIndent}${item},\n`)
    .join("")}${indent}${close}`;
}

function formatKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : formatText(key);
}

/** Formats a text as a string literal, which does not end a comment or a template either. */
function formatText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /(?<=\*)\/|`|\$(?=\{)|[\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Tokens of JavaScript: comments, strings, names, and single characters. */
const tokens =
  /\/\/[^\n]*|\/\*.*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[\p{L}$_][\p{L}\d$_]*|\S/gsu;

interface Token {
  readonly text: string;
  readonly start: number;
}

function isComment(token: string): boolean {
  return /^\/[/*]/.test(token);
}

/** Parses the object literal of the default export. Returns undefined if there is none. */
export function parseSource(text: string): Expression | undefined {
  const allTokens: Token[] = [];
  for (const { 0: token, index } of text.matchAll(tokens))
    if (!isComment(token)) allTokens.push({ text: token, start: index });
  const exportIndices = allTokens.flatMap(({ text: token }, index) =>
    token === "export" && allTokens[index + 1]?.text === "default" ? [index] : [],
  );
  // Several of them mean that the file contains syntax that `tokens` does not describe, such as nested templates.
  if (exportIndices.length !== 1) return undefined;
  const list = allTokens.slice(exportIndices[0]);
  const [, , first, second, third] = list;
  const start = first?.text === "{" ? 2 : second?.text === "(" && third?.text === "{" ? 4 : undefined;
  if (start === undefined) return undefined;
  const isFunctionCall = start > 2;
  const [root, next] = parseExpression(list, start, !isFunctionCall);
  return root.kind === "object" && (!isFunctionCall || list[next]?.text === ")") ? root : undefined;
}

const closingBrackets: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** Parses the expression that starts at a token.  @returns the expression, and the index of the token after it */
function parseExpression(list: readonly Token[], start: number, isStatement = false): readonly [Expression, number] {
  const open = list[start]?.text ?? "";
  const close = closingBrackets[open];
  const [entries, next] = close === undefined ? [undefined, start] : parseEntries(list, start + 1, close);
  const nextTokenText = list[next]?.text;
  const isExpressionEnd =
    nextTokenText === undefined ||
    /^[,}\])]$/.test(nextTokenText) ||
    (isStatement && /^(?:;|(?!in$|instanceof$)[\p{L}$_].*)$/u.test(nextTokenText));
  if (entries !== undefined && isExpressionEnd)
    return [{ ...getTokenSpan(list, start, next), entries, kind: open === "{" ? "object" : "list" }, next];
  const end = skipExpression(list, start);
  const source = list.slice(start, end).map(({ text }) => text);
  const isLiteral =
    (source.length === 1 && /^(?:["']|true$|false$)/.test(source[0] ?? "")) || /^-?[\d._]+$/.test(source.join(""));
  return [{ ...getTokenSpan(list, start, end), kind: isLiteral ? "literal" : "code" }, end];
}

function getTokenSpan(
  list: readonly Token[],
  start: number,
  end: number,
): { readonly start: number; readonly end: number } {
  const lastToken = list[end - 1];
  return { start: list[start]?.start ?? 0, end: (lastToken?.start ?? 0) + (lastToken?.text.length ?? 0) };
}

function parseEntries(list: readonly Token[], startIndex: number, close: string): readonly [readonly Entry[], number] {
  const entries: Entry[] = [];
  let index = startIndex;
  while (index < list.length && list[index]?.text !== close) {
    const token = list[index];
    if (token === undefined) break;
    const isProperty = close === "}";
    const name = isProperty && list[index + 1]?.text === ":" ? parseKey(token.text) : undefined;
    const isNamed = !isProperty || name !== undefined;
    const [value, next] = isNamed
      ? parseExpression(list, isProperty ? index + 2 : index)
      : [
          { ...getTokenSpan(list, index, skipExpression(list, index)), kind: "code" as const },
          skipExpression(list, index),
        ];
    const shorthand = /^[\p{L}$_]/u.test(token.text) ? token.text : undefined;
    entries.push({ key: isProperty ? (name ?? shorthand) : entries.length, start: token.start, value });
    index = next <= index ? index + 1 : next;
    if (list[index]?.text === ",") index += 1;
  }
  return [entries, index + 1];
}

function parseKey(text: string): string | undefined {
  if (/^["']/.test(text)) return text.slice(1, -1);
  return /^[\p{L}$_]/u.test(text) ? text : undefined;
}

/** Returns the index of the first token after an expression: a comma or a closing bracket. */
function skipExpression(list: readonly Token[], start: number): number {
  let depth = 0;
  for (let index = start; index < list.length; index += 1) {
    const text = list[index]?.text ?? "";
    if (/^[{[(]$/.test(text)) depth += 1;
    else if (/^[}\])]$/.test(text)) {
      if (depth === 0) return index;
      depth -= 1;
    } else if (text === "," && depth === 0) return index;
  }
  return list.length;
}

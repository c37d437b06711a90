import { type Node, parseTree, printParseErrorCode, visit } from "jsonc-parser";

/** A JSON value with its offset in the text, for error messages. */
export type JsonNode = Node;

export interface JsonEntry {
  readonly key: string;
  /** Offset of the key. */
  readonly offset: number;
  readonly value: JsonNode;
}

/** Invalid JSON, with the offset of the error. */
export class JsonError extends Error {
  /** Offset of the error in the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Parses JSON into a tree with offsets.
 * @param text JSON; comments and trailing commas are allowed, as theme editors write them, and a needless backslash is
 * ignored, as by the JSON library of Ruby
 * @throws JsonError
 */
export function readJsonTree(text: string): JsonNode {
  // Replaces the byte order mark by a space, so that offsets stay correct.
  const json = text.replace(/^\uFEFF/, " ").replace(STRING, withoutNeedlessBackslashes);
  checkSyntax(json);
  const tree = parseTree(json, [], { allowTrailingComma: true });
  if (tree === undefined) throw new JsonError(syntaxMessages.ValueExpected, 0);
  return tree;
}

/** Returns the value of a key. If a key occurs several times, the last value is used, as in `JSON.parse`. */
export function getMember(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return entriesOf(node).findLast((entry) => entry.key === key)?.value;
}

export function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === "array" ? (node.children ?? []) : [];
}

/** Returns the members of an object in source order. A duplicate key occurs twice. */
export function entriesOf(node: JsonNode | undefined): readonly JsonEntry[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap(({ offset, children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ key: String(key.value), offset, value }],
  );
}

export function getTextValue(node: JsonNode | undefined): string | undefined {
  return node?.type === "string" ? String(node.value) : undefined;
}

/** Returns the value that `JSON.parse` would return. */
export function toPlainJson(node: JsonNode): unknown {
  if (node.type === "array") return itemsOf(node).map(toPlainJson);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(entriesOf(node).map(({ key, value }) => [key, toPlainJson(value)]));
}

/** Matches a string on one line. */
const STRING = /"(?:[^"\\\n]|\\.)*"/g;

/** Fills up the string with spaces behind it, so that the offsets of other values stay correct. */
function withoutNeedlessBackslashes(string: string): string {
  return string
    .replace(/\\(["\\/bfnrtu])|\\/g, (match, letter) => (letter === undefined ? "" : match))
    .padEnd(string.length);
}

/** Maximum nesting depth of JSON. Theme files use up to ten levels. */
const maxDepth = 60;

function checkSyntax(text: string): void {
  let depth = 0;
  const onBegin = (offset: number): void => {
    depth += 1;
    if (depth > maxDepth) throw new JsonError(`objects and lists are nested more than ${maxDepth} levels deep`, offset);
  };
  const onEnd = (): void => {
    depth -= 1;
  };
  const onError = (code: number, offset: number): void => {
    const message = syntaxMessages[printParseErrorCode(code) as keyof typeof syntaxMessages];
    throw new JsonError(offset >= text.length ? `the text ends too early: ${message}` : message, offset);
  };
  const visitor = { onObjectBegin: onBegin, onObjectEnd: onEnd, onArrayBegin: onBegin, onArrayEnd: onEnd, onError };
  visit(text, visitor, { allowTrailingComma: true });
}

/** Error messages, by error name of the library jsonc-parser. */
const syntaxMessages = {
  ValueExpected: "expected a value: an object, a list, a text in double quotes, a number, true, false or null",
  PropertyNameExpected: "expected a name in double quotes",
  InvalidSymbol: "strings and names need double quotes; other values are numbers, true, false and null",
  InvalidNumberFormat: "a number is wrong",
  ColonExpected: 'expected ":" after a name',
  CommaExpected: 'expected "," or a closing bracket',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: "nothing may follow the JSON value",
  InvalidCommentToken: "no comment may stand here",
  UnexpectedEndOfComment: 'a comment has no end "*/"',
  UnexpectedEndOfString: "a string does not end on its line",
  UnexpectedEndOfNumber: "a number is not complete",
  InvalidUnicode: "after \\u stand four hexadecimal digits",
  InvalidEscapeCharacter: "no such letter may follow a backslash",
  InvalidCharacter: "a string contains a tab or another control character: write it as \\t or \\u0009",
} as const;

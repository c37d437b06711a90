import { LiquidError } from "../errors.ts";
import { LineTokenizer, type MarkupToken, Tokenizer } from "./tokenizer.ts";

/**
 * Returns the tags and outputs of a template in order, including those inside `{% liquid %}`, but without comments and
 * raw text. Tools use it to analyze a template without rendering it. Malformed markup is returned unparsed, and reading
 * stops at a tag or output that is not closed.
 */
export function readMarkup(source: string): MarkupToken[] {
  const read: MarkupToken[] = [];
  const tokens = new Tokenizer(source);
  for (let token = nextOf(tokens); token !== undefined; token = nextOf(tokens)) {
    if (token.kind === "text") continue;
    if (token.name === "comment") tokens.position = endOfComment(source, token.end) ?? source.length;
    else if (token.name === "raw") tokens.position = endOf("endraw", source, token.end) ?? source.length;
    else if (token.name === "liquid") addLines(source, token, read);
    else if (token.name !== "#" && token.name !== "endcomment" && token.name !== "endraw") read.push(token);
  }
  return read;
}

function addLines(source: string, token: MarkupToken, read: MarkupToken[]): void {
  const lines = new LineTokenizer(source, token);
  let comments = 0;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (line.name === "comment") comments += 1;
    else if (line.name === "endcomment") comments -= 1;
    else if (line.name === "liquid") addLines(source, line, read);
    else if (comments === 0 && line.name !== "#") read.push(line);
  }
}

/**
 * Returns the offset of the tag that ends a comment. Comments can be nested and can contain raw text.
 * @param from offset of the start of the comment's body
 */
export function endOfComment(source: string, from: number): number | undefined {
  let depth = 1;
  let begin = source.indexOf("{%", from);
  while (begin >= 0) {
    const close = source.indexOf("%}", begin + 2);
    if (close < 0) return undefined;
    name.lastIndex = begin;
    const found = name.exec(source)?.[1];
    if (found === "comment") depth += 1;
    else if (found === "endcomment") depth -= 1;
    if (depth === 0) return begin;
    const after = found === "raw" ? endOf("endraw", source, close + 2) : close + 2;
    begin = after === undefined ? -1 : source.indexOf("{%", after);
  }
  return undefined;
}

const name = /\{%-?\s*(\w+)/y;

function endOf(name: string, source: string, from: number): number | undefined {
  const tag = new RegExp(`\\{%-?\\s*${name}\\b`, "g");
  tag.lastIndex = from;
  return tag.exec(source)?.index;
}

function nextOf(tokens: Tokenizer): ReturnType<Tokenizer["next"]> {
  try {
    return tokens.next();
  } catch (error) {
    if (LiquidError.is(error, "syntax")) return undefined;
    throw error;
  }
}

import { LiquidError } from "../errors.ts";
import { LineTokenizer, type MarkupToken, Tokenizer } from "./tokenizer.ts";

/**
 * Returns the tags and outputs of a template in order, including those inside `{% liquid %}`. Comments and raw text are
 * omitted. Tools use it to analyze a template without rendering it. Malformed markup is returned unparsed. Reading
 * stops at a tag or output that is not closed.
 */
export function readMarkup(source: string): MarkupToken[] {
  const markupTokens: MarkupToken[] = [];
  const tokenizer = new Tokenizer(source);
  for (let token = readNextToken(tokenizer); token !== undefined; token = readNextToken(tokenizer)) {
    if (token.kind === "text") continue;
    if (token.name === "comment") tokenizer.position = findEndOfComment(source, token.end) ?? source.length;
    else if (token.name === "raw") tokenizer.position = findRawEnd(source, token.end) ?? source.length;
    else if (token.name === "liquid") addLines(source, token, markupTokens);
    else if (token.name !== "#" && token.name !== "endcomment" && token.name !== "endraw") markupTokens.push(token);
  }
  return markupTokens;
}

function addLines(source: string, token: MarkupToken, markupTokens: MarkupToken[]): void {
  const lineTokenizer = new LineTokenizer(source, token);
  let commentDepth = 0;
  for (let line = lineTokenizer.next(); line !== undefined; line = lineTokenizer.next()) {
    if (line.name === "comment") commentDepth += 1;
    else if (line.name === "endcomment") commentDepth -= 1;
    else if (line.name === "liquid") addLines(source, line, markupTokens);
    else if (commentDepth === 0 && line.name !== "#") markupTokens.push(line);
  }
}

/**
 * Returns the offset of the tag that ends a comment. Comments can be nested and can contain raw text.
 * @param from offset of the start of the comment's body
 */
export function findEndOfComment(source: string, from: number): number | undefined {
  let depth = 1;
  let start = source.indexOf("{%", from);
  while (start >= 0) {
    const tagEnd = source.indexOf("%}", start + 2);
    if (tagEnd < 0) return undefined;
    tagNamePattern.lastIndex = start;
    const tagName = tagNamePattern.exec(source)?.[1];
    if (tagName === "comment") depth += 1;
    else if (tagName === "endcomment") depth -= 1;
    if (depth === 0) return start;
    const nextPosition = tagName === "raw" ? findRawEnd(source, tagEnd + 2) : tagEnd + 2;
    start = nextPosition === undefined ? -1 : source.indexOf("{%", nextPosition);
  }
  return undefined;
}

const tagNamePattern = /\{%-?\s*(\w+)/y;

function findRawEnd(source: string, from: number): number | undefined {
  const tagPattern = /\{%-?\s*endraw\b/g;
  tagPattern.lastIndex = from;
  return tagPattern.exec(source)?.index;
}

function readNextToken(tokenizer: Tokenizer): ReturnType<Tokenizer["next"]> {
  try {
    return tokenizer.next();
  } catch (error) {
    if (LiquidError.is(error, "syntax")) return undefined;
    throw error;
  }
}

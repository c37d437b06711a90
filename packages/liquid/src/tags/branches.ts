import { LiquidError } from "../errors.ts";
import type { Body } from "../parse/body.ts";
import type { Parser } from "../parse/parser.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";

/** One branch of a tag such as `if`, and the tag that starts it, such as `else`. */
export interface Branch {
  readonly openingTag: MarkupToken;
  readonly body: Body;
}

/** Parses all branches of a tag, up to its end tag.  @param parts names of the tags that start a branch */
export function readBranches(tag: MarkupToken, parser: Parser, parts: readonly string[]): Branch[] {
  const branches: Branch[] = [];
  for (let openingTag = tag; ; ) {
    const { body, end } = parser.body(tag, parts);
    branches.push({ openingTag, body });
    if (!parts.includes(end.name)) return branches;
    openingTag = end;
  }
}

/** Checks that a tag has no markup after its name.  @throws LiquidError if it has */
export function requireNoMarkup({ name, markup, begin }: MarkupToken, validSyntax: string): void {
  if (markup.trim() !== "")
    throw new LiquidError("syntax", `Syntax Error in '${name}' - Valid syntax: ${validSyntax}`, begin);
}

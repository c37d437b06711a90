import { LiquidError } from "../errors.ts";
import type { Body } from "../parse/body.ts";
import type { Parser } from "../parse/parser.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";

/** A part of a tag's body, and the tag that starts it. */
export interface Branch {
  readonly opener: MarkupToken;
  readonly body: Body;
}

/** Parses the parts of a body up to the end tag.  @param parts names of the tags that start a part */
export function readBranches(tag: MarkupToken, parser: Parser, parts: readonly string[]): Branch[] {
  const branches: Branch[] = [];
  for (let opener = tag; ; ) {
    const { body, end } = parser.body(tag, parts);
    branches.push({ opener, body });
    if (!parts.includes(end.name)) return branches;
    opener = end;
  }
}

/** @throws LiquidError if the tag has markup */
export function requireBare({ name, markup, begin }: MarkupToken, valid: string): void {
  if (markup.trim() !== "")
    throw new LiquidError("syntax", `Syntax Error in '${name}' - Valid syntax: ${valid}`, begin);
}

import { SyntaxFault } from "../errors.ts";
import type { Body } from "../parse/body.ts";
import type { Parser } from "../parse/parser.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";

/** A part of a tag's body, and the tag that begins it. */
export interface Branch {
  readonly opener: MarkupToken;
  readonly body: Body;
}

/** The parts of a body up to the tag's end. @param parts names of the tags that begin a part */
export function readBranches(tag: MarkupToken, parser: Parser, parts: readonly string[]): Branch[] {
  const branches: Branch[] = [];
  for (let opener = tag; ; ) {
    const { body, end } = parser.body(tag, parts);
    branches.push({ opener, body });
    if (!parts.includes(end.name)) return branches;
    opener = end;
  }
}

/** @throws SyntaxFault where something stands in a tag that takes nothing */
export function requireBare({ name, markup, begin }: MarkupToken, valid: string): void {
  if (markup.trim() !== "") throw new SyntaxFault(`Syntax Error in '${name}' - Valid syntax: ${valid}`, begin);
}

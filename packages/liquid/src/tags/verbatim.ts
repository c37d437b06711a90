import { LiquidError } from "../errors.ts";
import { createUnclosedTagError, type Parser, type Tag } from "../parse/parser.ts";
import { findEndOfComment } from "../parse/read-markup.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { requireNoMarkup } from "./branches.ts";

/** The tag `{% raw %}…{% endraw %}`, which prints its body unparsed. */
export const parseRawTag: Tag = (tag, parser) => {
  requireNoMarkup(tag, "raw");
  const text = parser.readRawText(tag);
  return { at: tag.begin, isBlank: text === "", render: (context) => context.write(text) };
};

/** The tag `{% doc %}…{% enddoc %}`, which documents the arguments of a snippet and prints nothing. */
export const parseDocTag: Tag = (tag, parser) => {
  requireNoMarkup(tag, "{% doc %}{% enddoc %}");
  const text = parser.readRawText(tag);
  if (/\{%-?\s*doc\s*-?%\}/.test(text))
    throw new LiquidError("syntax", "Syntax Error in 'doc' - Nested doc tags are not allowed", tag.begin);
  return createEmptyNode(tag);
};

/** The tag `{% comment %}…{% endcomment %}`. Comments can be nested and can contain any text. */
export const parseCommentTag: Tag = (tag, parser) => {
  if (parser.isInLiquidTag) skipLines(tag, parser);
  else skipText(tag, parser);
  return createEmptyNode(tag);
};

/** The inline comment `{% # … %}`. */
export const parseInlineCommentTag: Tag = (tag) => {
  if (/\n\s*[^#\s]/.test(tag.markup))
    throw new LiquidError(
      "syntax",
      "Syntax error in tag '#' - Each line of comments must be prefixed by the '#' character",
      tag.begin,
    );
  return createEmptyNode(tag);
};

function skipLines(tag: MarkupToken, parser: Parser): void {
  for (let depth = 1; depth > 0; ) {
    const nextTag = parser.skipToTag();
    if (nextTag === undefined) throw createUnclosedTagError(tag);
    if (nextTag.name === "comment") depth += 1;
    if (nextTag.name === "endcomment") depth -= 1;
  }
}

function skipText(tag: MarkupToken, parser: Parser): void {
  const end = findEndOfComment(parser.source, tag.end);
  if (end === undefined) throw createUnclosedTagError(tag);
  parser.skipTo(end);
  parser.skipToTag();
}

function createEmptyNode({ begin }: MarkupToken): ReturnType<Tag> {
  return { at: begin, isBlank: true, render: () => {} };
}

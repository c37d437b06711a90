import { LiquidError } from "../errors.ts";
import { neverClosed, type Parser, type Tag } from "../parse/parser.ts";
import { endOfComment } from "../parse/read-markup.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { requireBare } from "./branches.ts";

/** The tag `{% raw %}…{% endraw %}`, which prints its body unparsed. */
export const raw: Tag = (tag, parser) => {
  requireBare(tag, "raw");
  const text = parser.text(tag);
  return { at: tag.begin, isBlank: text === "", render: (context) => context.write(text) };
};

/** The tag `{% doc %}…{% enddoc %}`, which documents the arguments of a snippet and prints nothing. */
export const doc: Tag = (tag, parser) => {
  requireBare(tag, "{% doc %}{% enddoc %}");
  const text = parser.text(tag);
  if (/\{%-?\s*doc\s*-?%\}/.test(text))
    throw new LiquidError("syntax", "Syntax Error in 'doc' - Nested doc tags are not allowed", tag.begin);
  return emptyNode(tag);
};

/** The tag `{% comment %}…{% endcomment %}`. Comments can be nested and can contain any text. */
export const comment: Tag = (tag, parser) => {
  if (parser.isLines) skipLines(tag, parser);
  else skipText(tag, parser);
  return emptyNode(tag);
};

/** The inline comment `{% # … %}`. */
export const inlineComment: Tag = (tag) => {
  if (/\n\s*[^#\s]/.test(tag.markup))
    throw new LiquidError(
      "syntax",
      "Syntax error in tag '#' - Each line of comments must be prefixed by the '#' character",
      tag.begin,
    );
  return emptyNode(tag);
};

function skipLines(tag: MarkupToken, parser: Parser): void {
  for (let depth = 1; depth > 0; ) {
    const next = parser.skip();
    if (next === undefined) throw neverClosed(tag);
    if (next.name === "comment") depth += 1;
    if (next.name === "endcomment") depth -= 1;
  }
}

function skipText(tag: MarkupToken, parser: Parser): void {
  const end = endOfComment(parser.source, tag.end);
  if (end === undefined) throw neverClosed(tag);
  parser.skipTo(end);
  parser.skip();
}

function emptyNode({ begin }: MarkupToken): ReturnType<Tag> {
  return { at: begin, isBlank: true, render: () => {} };
}

import { SyntaxFault } from "../errors.ts";
import { neverClosed, type Parser, type TagParser } from "../parse/parser.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { requireBare } from "./branches.ts";

/** `{% raw %}…{% endraw %}`: prints Liquid as it is. */
export const raw: TagParser = (tag, parser) => {
  requireBare(tag, "raw");
  const text = parser.text(tag);
  return { at: tag.begin, isBlank: text === "", render: (context) => context.write(text) };
};

/** `{% doc %}…{% enddoc %}`: says what a snippet takes. */
export const doc: TagParser = (tag, parser) => {
  requireBare(tag, "{% doc %}{% enddoc %}");
  const text = parser.text(tag);
  if (/\{%-?\s*doc\s*-?%\}/.test(text))
    throw new SyntaxFault("Syntax Error in 'doc' - Nested doc tags are not allowed", tag.begin);
  return nothing(tag);
};

/** `{% comment %}…{% endcomment %}`: comments may stand in one another, and hold anything. */
export const comment: TagParser = (tag, parser) => {
  if (parser.isLines) skipLines(tag, parser);
  else skipText(tag, parser);
  return nothing(tag);
};

/** `{% # … %}` */
export const inlineComment: TagParser = (tag) => {
  if (/\n\s*[^#\s]/.test(tag.markup))
    throw new SyntaxFault(
      "Syntax error in tag '#' - Each line of comments must be prefixed by the '#' character",
      tag.begin,
    );
  return nothing(tag);
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
  const sign = /\{%-?\s*(comment|endcomment|raw)\b/g;
  sign.lastIndex = tag.end;
  let depth = 1;
  for (let match = sign.exec(parser.source); match !== null; match = sign.exec(parser.source)) {
    if (match[1] === "raw") {
      const end = /\{%-?\s*endraw\b/g;
      end.lastIndex = sign.lastIndex;
      if (end.exec(parser.source) === null) throw neverClosed({ ...tag, name: "raw" });
      sign.lastIndex = end.lastIndex;
      continue;
    }
    depth += match[1] === "comment" ? 1 : -1;
    if (depth > 0) continue;
    parser.skipTo(match.index);
    parser.skip();
    return;
  }
  throw neverClosed(tag);
}

function nothing({ begin }: MarkupToken): ReturnType<TagParser> {
  return { at: begin, isBlank: true, render: () => {} };
}

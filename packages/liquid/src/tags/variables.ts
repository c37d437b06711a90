import { LiquidError } from "../errors.ts";
import { type Parser, pieceOf, type Tag } from "../parse/parser.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";

/** The tag `{% assign name = value | filter %}`. The last word before the equals sign is the name. */
export const assign: Tag = ({ begin, markup, markupAt }, parser) => {
  for (let sign = markup.indexOf("="); sign >= 0; sign = markup.indexOf("=", sign + 1)) {
    const name = lastName(markup.slice(0, sign).trimEnd());
    if (name === "") continue;
    parser.checkVariableName({ text: markup.slice(0, sign), at: markupAt });
    const value = parser.filtered({ text: markup.slice(sign + 1), at: markupAt + sign + 1 });
    return { at: begin, isBlank: true, render: (context) => context.assign(name, value(context)) };
  }
  throw new LiquidError("syntax", "Syntax Error in 'assign' - Valid syntax: assign [var] = [source]", begin);
};

function lastName(text: string): string {
  let begin = text.length;
  while (begin > 0 && /[\w\-.[\]()]/.test(text[begin - 1] as string)) begin -= 1;
  return text.slice(begin);
}

/** The tag `{% capture name %}…{% endcapture %}`, which assigns its output to a variable. */
export const capture: Tag = (tag, parser) => {
  const [name] = /[\w\-.[\]]+/.exec(tag.markup) ?? [];
  if (name === undefined)
    throw new LiquidError("syntax", "Syntax Error in 'capture' - Valid syntax: capture [var]", tag.begin);
  parser.checkVariableName(pieceOf(tag));
  const { body } = parser.body(tag);
  return {
    at: tag.begin,
    isBlank: true,
    render: (context) => context.assign(name, context.capture(body.render)),
  };
};

/** The tag `{% increment n %}`, which prints a counter and then adds one. Counters are separate from variables. */
export const increment: Tag = (tag, parser) => {
  const { name, begin } = counterOf(tag, parser);
  return { at: begin, isBlank: false, render: (context) => context.write(String(context.count(name, 1))) };
};

/** The tag `{% decrement n %}`, which subtracts one from a counter and then prints it. */
export const decrement: Tag = (tag, parser) => {
  const { name, begin } = counterOf(tag, parser);
  return { at: begin, isBlank: false, render: (context) => context.write(String(context.count(name, -1) - 1)) };
};

function counterOf(tag: MarkupToken, parser: Parser): { readonly name: string; readonly begin: number } {
  parser.checkVariableName(pieceOf(tag));
  return { name: tag.markup.trim(), begin: tag.begin };
}

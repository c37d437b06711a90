import { LiquidError } from "../errors.ts";
import { markupOf, type Parser, type Tag } from "../parse/parser.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";

/** The tag `{% assign name = value | filter %}`. The last word before the equals sign is the name. */
export const parseAssignTag: Tag = ({ begin, markup, markupOffset }, parser) => {
  for (
    let equalsSignIndex = markup.indexOf("=");
    equalsSignIndex >= 0;
    equalsSignIndex = markup.indexOf("=", equalsSignIndex + 1)
  ) {
    const name = findLastWord(markup.slice(0, equalsSignIndex).trimEnd());
    if (name === "") continue;
    parser.checkVariableName({ text: markup.slice(0, equalsSignIndex), at: markupOffset });
    const value = parser.parseFilteredValue({
      text: markup.slice(equalsSignIndex + 1),
      at: markupOffset + equalsSignIndex + 1,
    });
    return { at: begin, isBlank: true, render: (context) => context.assign(name, value(context)) };
  }
  throw new LiquidError("syntax", "Syntax Error in 'assign' - Valid syntax: assign [var] = [source]", begin);
};

function findLastWord(text: string): string {
  let start = text.length;
  while (start > 0 && /[\w\-.[\]()]/.test(text[start - 1] as string)) start -= 1;
  return text.slice(start);
}

/** The tag `{% capture name %}…{% endcapture %}`, which assigns its output to a variable. */
export const parseCaptureTag: Tag = (tag, parser) => {
  const [name] = /[\w\-.[\]]+/.exec(tag.markup) ?? [];
  if (name === undefined)
    throw new LiquidError("syntax", "Syntax Error in 'capture' - Valid syntax: capture [var]", tag.begin);
  parser.checkVariableName(markupOf(tag));
  const { body } = parser.body(tag);
  return {
    at: tag.begin,
    isBlank: true,
    render: (context) => context.assign(name, context.capture(body.render)),
  };
};

/** The tag `{% increment n %}`, which prints a counter and then adds one. Counters are separate from variables. */
export const parseIncrementTag: Tag = (tag, parser) => {
  const { name, begin } = parseCounter(tag, parser);
  return { at: begin, isBlank: false, render: (context) => context.write(String(context.addToCounter(name, 1))) };
};

/** The tag `{% decrement n %}`, which subtracts one from a counter and then prints it. */
export const parseDecrementTag: Tag = (tag, parser) => {
  const { name, begin } = parseCounter(tag, parser);
  return { at: begin, isBlank: false, render: (context) => context.write(String(context.addToCounter(name, -1) - 1)) };
};

function parseCounter(tag: MarkupToken, parser: Parser): { readonly name: string; readonly begin: number } {
  parser.checkVariableName(markupOf(tag));
  return { name: tag.markup.trim(), begin: tag.begin };
}

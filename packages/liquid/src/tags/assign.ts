import { LiquidError } from "../errors.ts";
import type { Tag } from "../parse/parser.ts";

/** `{% assign name = value | filter %}`. Only the last word before the equals sign is the name. */
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

import { LiquidError } from "../errors.ts";
import { pieceOf, type Tag } from "../parse/parser.ts";

/** `{% capture name %}…{% endcapture %}` */
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

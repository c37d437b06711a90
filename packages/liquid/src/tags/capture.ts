import { LiquidSyntaxError } from "../errors.ts";
import { pieceOf, type TagParser } from "../parse/parser.ts";

/** `{% capture name %}…{% endcapture %}` */
export const capture: TagParser = (tag, parser) => {
  const [name] = /[\w\-.[\]]+/.exec(tag.markup) ?? [];
  if (name === undefined)
    throw new LiquidSyntaxError("Syntax Error in 'capture' - Valid syntax: capture [var]", tag.begin);
  parser.holdToName(pieceOf(tag));
  const { body } = parser.body(tag);
  return {
    at: tag.begin,
    isBlank: true,
    render: (context) => context.assign(name, context.capture(body.render)),
  };
};

import { LiquidSyntaxError, pieceOf, type TagParser } from "@vitrine/liquid";
import { renderStaticBlock } from "../render/blocks.ts";
import { compileArguments, readCall, readLaxCall, textIn } from "./content-for.ts";

/**
 * `{% block 'container', class: 'wide' %}…{% endblock %}`: renders a file of `blocks/`, which reads the arguments by
 * name and the body as `content` or `block.content`.
 */
export const block: TagParser = (tag, parser) => {
  const { kind, args } = parser.read(pieceOf(tag), readCall, readLaxCall);
  const type = textIn(kind);
  if (type === undefined)
    throw new LiquidSyntaxError("block: name it by a fixed text, like {% block 'container' %}", tag.begin);
  const { body } = parser.body(tag);
  const valuesIn = compileArguments(args);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      const content = context.capture(body.render);
      renderStaticBlock(context, { type, id: type, values: { ...valuesIn(context), content }, content });
    },
  };
};

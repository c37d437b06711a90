import { LiquidError, type Tag } from "@vitrine/liquid";
import { pieceOf } from "@vitrine/liquid/tree";
import { renderStaticBlock } from "../render/blocks.ts";
import { compileArguments, readCall, readLaxCall, textIn } from "./content-for.ts";

/**
 * `{% block 'container', class: 'wide' %}…{% endblock %}`: renders a file of `blocks/`, which reads the arguments by
 * name and the body as `content` or `block.content`.
 */
export const block: Tag = (tag, parser) => {
  const { kind, args } = parser.read(pieceOf(tag), readCall, readLaxCall);
  const type = textIn(kind);
  if (type === undefined)
    throw new LiquidError("syntax", "block: name it by a fixed text, like {% block 'container' %}", tag.begin);
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

import { Drop, pieceOf, RenderError, render as renderSnippet, type TagParser } from "@vitrine/liquid";

/** `{% render 'card', product: p %}`; `{% render block %}` renders an app block, and apps are not supported. */
export const render: TagParser = (tag, parser) => {
  if (/^["']/.test(tag.markup)) return renderSnippet(tag, parser);
  const { text, at } = pieceOf(tag);
  const value = parser.filtered({ text: text.split(",", 1)[0] ?? "", at });
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      if (value(context) instanceof Drop) return;
      throw new RenderError("render: name the snippet by a fixed text, like {% render 'price' %}");
    },
  };
};

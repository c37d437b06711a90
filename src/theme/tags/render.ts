import { createEngine, Drop, LiquidError, type Tag } from "@vitrine/liquid";
import { markupOf } from "@vitrine/liquid/tree";
import { createNode } from "./create-node.ts";

/** The `render` tag of standard Liquid. */
const renderSnippet = createEngine().tags.get("render") as Tag;

/**
 * Renders a snippet: `{% render 'card', product: p %}`. `{% render block %}` prints nothing, because it is only used
 * for app blocks, which are not supported.
 */
export const parseRenderTag: Tag = (tag, parser) => {
  if (/^\W*["']/.test(tag.markup)) return renderSnippet(tag, parser);
  const { text, at } = markupOf(tag);
  const value = parser.parseFilteredValue({ text: text.split(",", 1)[0] ?? "", at });
  return createNode(tag, (context) => {
    if (value(context) instanceof Drop) return;
    throw new LiquidError("render", "render: expected a literal snippet name, as in {% render 'price' %}");
  });
};

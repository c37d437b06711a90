import type { Tag } from "@vitrine/liquid";
import { pieceOf } from "@vitrine/liquid/tree";
import { textOf } from "../filters/filter.ts";
import { stateOf } from "../render-state.ts";

/** `{% layout 'name' %}` or `{% layout none %}` in a Liquid template: selects the page's layout. */
export const layout: Tag = (tag, parser) => {
  const isNone = tag.markup.trim() === "none";
  const name = parser.filtered(pieceOf(tag));
  return {
    at: tag.begin,
    isBlank: true,
    render: (context) => {
      stateOf(context).layout = isNone ? false : textOf(name(context));
    },
  };
};

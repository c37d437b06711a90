import type { Tag } from "@vitrine/liquid";
import { markupOf } from "@vitrine/liquid/tree";
import { textOf } from "../filters/filter.ts";
import { stateOf } from "../render-state.ts";

/** `{% layout 'name' %}` or `{% layout none %}` in a Liquid template: selects the page's layout. */
export const layout: Tag = (tag, parser) => {
  const isNone = tag.markup.trim() === "none";
  const name = parser.parseFilteredValue(markupOf(tag));
  return {
    at: tag.begin,
    isBlank: true,
    render: (context) => {
      stateOf(context).layout = isNone ? false : textOf(name(context));
    },
  };
};

/** `{% partial 'product-grid' %}…{% endpartial %}`: a named part of a page that scripts can refresh. */
export const partial = enclosed("", "");

/** `{% style %}…{% endstyle %}`: CSS that contains Liquid. */
export const style = enclosed("<style>", "</style>");

/** A tag that renders its body between two texts. */
function enclosed(before: string, after: string): Tag {
  return (tag, parser) => {
    const { body } = parser.body(tag);
    return {
      at: tag.begin,
      isBlank: false,
      render: (context) => {
        context.write(before);
        body.render(context);
        context.write(after);
      },
    };
  };
}

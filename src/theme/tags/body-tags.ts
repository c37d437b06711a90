import type { Tag } from "@vitrine/liquid";

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

import type { Tag } from "@vitrine/liquid";

/**
 * `{% partial 'product-grid' %}…{% endpartial %}`: a named part of a page that scripts can refresh. Renders its body.
 */
export const partial: Tag = (tag, parser) => {
  const { body } = parser.body(tag);
  return { at: tag.begin, isBlank: false, render: (context) => body.render(context) };
};

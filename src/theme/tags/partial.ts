import type { TagParser } from "../../liquid/parse/parser.ts";

/** `{% partial 'product-grid' %}…{% endpartial %}`: a part of a page that scripts refresh by its name. It renders its body. */
export const partial: TagParser = (tag, parser) => {
  const { body } = parser.body(tag);
  return { at: tag.begin, isBlank: false, render: (context) => body.render(context) };
};

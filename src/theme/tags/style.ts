import type { Tag } from "@vitrine/liquid";

/** `{% style %}…{% endstyle %}`: CSS that contains Liquid. */
export const style: Tag = (tag, parser) => {
  const { body } = parser.body(tag);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => {
      context.write("<style>");
      body.render(context);
      context.write("</style>");
    },
  };
};

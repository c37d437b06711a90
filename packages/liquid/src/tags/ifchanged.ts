import type { Tag } from "../parse/parser.ts";

/** `{% ifchanged %}…{% endifchanged %}`: prints its body if it differs from the last one that such a tag printed. */
export const ifchanged: Tag = (tag, parser) => {
  const { body } = parser.body(tag);
  return {
    at: tag.begin,
    isBlank: body.isBlank,
    render: (context) => {
      const shown = context.capture(body.render);
      if (context.registers.get("ifchanged") === shown) return;
      context.registers.set("ifchanged", shown);
      context.write(shown);
    },
  };
};

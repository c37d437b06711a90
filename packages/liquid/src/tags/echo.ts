import { markupOf, type Tag } from "../parse/parser.ts";

/** The tag `{% echo value | filter %}`, equivalent to `{{ value | filter }}`. */
export const parseEchoTag: Tag = (tag, parser) => {
  const value = parser.parseFilteredValue(markupOf(tag));
  return { at: tag.begin, isBlank: false, render: (context) => context.print(value(context)) };
};

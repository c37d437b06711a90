import { pieceOf, type TagParser } from "../parse/parser.ts";

/** `{% echo value | filter %}`: equivalent to an output. */
export const echo: TagParser = (tag, parser) => {
  const value = parser.filtered(pieceOf(tag));
  return { at: tag.begin, isBlank: false, render: (context) => context.print(value(context)) };
};

import type { TagParser } from "../parse/parser.ts";

/** `{% increment n %}`: prints a counter, and adds one. Counters are apart from variables of the same name. */
export const increment: TagParser = ({ begin, markup }) => {
  const name = markup.trim();
  return { at: begin, isBlank: false, render: (context) => context.write(String(context.count(name, 1))) };
};

/** `{% decrement n %}`: takes one away, and prints the counter. */
export const decrement: TagParser = ({ begin, markup }) => {
  const name = markup.trim();
  return { at: begin, isBlank: false, render: (context) => context.write(String(context.count(name, -1) - 1)) };
};

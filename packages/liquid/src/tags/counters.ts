import { type Parser, pieceOf, type Tag } from "../parse/parser.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";

/** `{% increment n %}`: prints a counter, then adds one. Counters are separate from variables of the same name. */
export const increment: Tag = (tag, parser) => {
  const { name, begin } = counterOf(tag, parser);
  return { at: begin, isBlank: false, render: (context) => context.write(String(context.count(name, 1))) };
};

/** `{% decrement n %}`: subtracts one from a counter, then prints it. */
export const decrement: Tag = (tag, parser) => {
  const { name, begin } = counterOf(tag, parser);
  return { at: begin, isBlank: false, render: (context) => context.write(String(context.count(name, -1) - 1)) };
};

function counterOf(tag: MarkupToken, parser: Parser): { readonly name: string; readonly begin: number } {
  parser.checkVariableName(pieceOf(tag));
  return { name: tag.markup.trim(), begin: tag.begin };
}

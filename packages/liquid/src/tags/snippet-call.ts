import { compileExpression, type Evaluate } from "../compile/expression.ts";
import type { Context } from "../context.ts";
import type { Expression, NamedArgument } from "../parse/expression.ts";
import { fragment, laxArguments, laxExpression, type Piece } from "../parse/lax.ts";
import type { Lexer } from "../parse/lexer.ts";
import { readArguments, readExpression } from "../parse/read-expression.ts";

/** The parsed markup of `render` or `include`: `'card' with product as item, size: 2`. */
export interface CallTree {
  readonly name: Expression;
  readonly bound?: Expression;
  /** Whether the snippet is rendered once per item (`for list`). */
  readonly isEach: boolean;
  readonly alias?: string;
  readonly args: readonly NamedArgument[];
}

/** Parses the call of a snippet.  @throws LiquidError if it is malformed */
export function readCall(lexer: Lexer): CallTree {
  const name = readExpression(lexer);
  const isEach = lexer.isWord("for");
  const isBound = (isEach || lexer.isWord("with")) && !lexer.isFollowedBy(":");
  if (isBound) lexer.advance();
  const bound = isBound ? readExpression(lexer) : undefined;
  const hasAlias = lexer.isWord("as") && !lexer.isFollowedBy(":");
  if (hasAlias) lexer.advance();
  const alias = hasAlias ? lexer.word() : undefined;
  const args = readArguments(lexer);
  return {
    name,
    ...(bound === undefined ? {} : { bound }),
    isEach: isBound && isEach,
    ...(alias === undefined ? {} : { alias }),
    args,
  };
}

/** Parses a malformed call. Returns undefined if it does not name a snippet. */
export function readLaxCall(piece: Piece): CallTree | undefined {
  const match = laxCall.exec(piece.text);
  if (match === null) return undefined;
  const [, name = "", word, bound, alias] = match;
  const at = piece.at + match.index;
  return {
    name: laxExpression({ text: name, at }),
    ...(bound === undefined ? {} : { bound: laxExpression({ text: bound, at }) }),
    isEach: word === "for",
    ...(alias === undefined ? {} : { alias }),
    args: laxArguments(piece),
  };
}

const laxCall = new RegExp(`(${fragment})(?:\\s+(with|for)\\s+(${fragment}))?(?:\\s+as\\s+([\\w-]+))?`);

/** Names of the arguments with their compiled values. */
export type Arguments = readonly (readonly [name: string, value: Evaluate])[];

export function compileArguments(args: readonly NamedArgument[]): Arguments {
  return args.map(({ name, value }) => [name, compileExpression(value)] as const);
}

/** Returns the variable that a snippet binds by default: `product` for "cards/product". */
export function defaultName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Calls `render`, then restores these local variables. */
export function withLocals(context: Context, names: readonly string[], render: () => void): void {
  const outer = names.map((name) => context.locals.get(name));
  try {
    render();
  } finally {
    for (const [index, name] of names.entries()) context.restore(name, outer[index]);
  }
}

import { compileExpression, type Evaluator } from "../compile/expression.ts";
import type { Context } from "../context.ts";
import type { Expression, NamedArgument } from "../parse/expression.ts";
import { fragmentSource, type MarkupPart, parseLaxArguments, parseLaxExpression } from "../parse/lax.ts";
import type { Lexer } from "../parse/lexer.ts";
import { readArguments, readExpression } from "../parse/read-expression.ts";

/** The parsed markup of `render` or `include`: `'card' with product as item, size: 2`. */
export interface SnippetCall {
  readonly name: Expression;
  readonly boundValue?: Expression;
  /** Whether the snippet is rendered once per item (`for list`). */
  readonly isForEach: boolean;
  readonly alias?: string;
  readonly args: readonly NamedArgument[];
}

/** Parses the markup of `render` or `include`.  @throws LiquidError if it is malformed */
export function readCall(lexer: Lexer): SnippetCall {
  const name = readExpression(lexer);
  const isForEach = lexer.isWord("for");
  const hasBoundValue = (isForEach || lexer.isWord("with")) && !lexer.isFollowedByColon();
  if (hasBoundValue) lexer.advance();
  const boundValue = hasBoundValue ? readExpression(lexer) : undefined;
  const hasAlias = lexer.isWord("as") && !lexer.isFollowedByColon();
  if (hasAlias) lexer.advance();
  const alias = hasAlias ? lexer.readWord() : undefined;
  const args = readArguments(lexer);
  return {
    name,
    ...(boundValue === undefined ? {} : { boundValue }),
    isForEach: hasBoundValue && isForEach,
    ...(alias === undefined ? {} : { alias }),
    args,
  };
}

/** Parses malformed markup of `render` or `include`. Returns undefined if it does not name a snippet. */
export function readLaxCall(markupPart: MarkupPart): SnippetCall | undefined {
  const match = laxCallPattern.exec(markupPart.text);
  if (match === null) return undefined;
  const [, name = "", word, boundValue, alias] = match;
  const argumentsOffset = markupPart.at + match.index;
  return {
    name: parseLaxExpression({ text: name, at: argumentsOffset }),
    ...(boundValue === undefined ? {} : { boundValue: parseLaxExpression({ text: boundValue, at: argumentsOffset }) }),
    isForEach: word === "for",
    ...(alias === undefined ? {} : { alias }),
    args: parseLaxArguments(markupPart),
  };
}

const laxCallPattern = new RegExp(
  `(${fragmentSource})(?:\\s+(with|for)\\s+(${fragmentSource}))?(?:\\s+as\\s+([\\w-]+))?`,
);

/** Names and compiled values of a tag's arguments. */
export type CompiledArguments = readonly (readonly [name: string, value: Evaluator])[];

export function compileArguments(args: readonly NamedArgument[]): CompiledArguments {
  return args.map(({ name, value }) => [name, compileExpression(value)] as const);
}

/** Returns the default name of the variable that receives the `with` value: `product` for "cards/product". */
export function getDefaultVariable(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Calls `render`, then restores the previous values of these local variables. */
export function runWithLocals(context: Context, names: readonly string[], render: () => void): void {
  const previousValues = names.map((name) => context.locals.get(name));
  try {
    render();
  } finally {
    for (const [index, name] of names.entries()) context.restoreLocal(name, previousValues[index]);
  }
}

// This entry point exports the parser and the syntax tree, for theme checkers and for custom tags.
export { compileExpression } from "./compile/expression.ts";
export {
  type Condition,
  type Expression,
  type FilteredValue,
  type Key,
  type NamedArgument,
  operators,
  type Variable,
} from "./parse/expression.ts";
export {
  findFragment,
  fragmentSource,
  type MarkupPart as MarkupSlice,
  parseLaxArguments,
  parseLaxCondition,
  parseLaxExpression,
  parseLaxFilteredValue,
} from "./parse/lax.ts";
export { Lexer } from "./parse/lexer.ts";
export { markupOf } from "./parse/parser.ts";
export {
  readArguments,
  readCondition,
  readExpression,
  readFilteredValue,
  readNamedArgument,
} from "./parse/read-expression.ts";
export { readMarkup } from "./parse/read-markup.ts";
export type { MarkupToken } from "./parse/tokenizer.ts";
export { readLaxLoop, readStrictLoop } from "./tags/loop.ts";
export { readCall, readLaxCall } from "./tags/snippet-call.ts";

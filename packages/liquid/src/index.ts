export { compileExpression } from "./compile/expression.ts";
export { type Filter, type FilterFamily, NamedArguments, taking } from "./compile/filter.ts";
export { Context, type RenderOptions } from "./context.ts";
export { momentOfDate } from "./dates/moment.ts";
export { strftime } from "./dates/strftime.ts";
export { createZonedClock } from "./dates/zoned-time.ts";
export { createEngine, type Engine, type Template } from "./engine.ts";
export { LimitError, LiquidError, LiquidSyntaxError, RenderError } from "./errors.ts";
export { htmlFilters } from "./filters/html.ts";
export { createMeter, defaultLimits, type Limits, type Meter } from "./limits.ts";
export {
  type Condition,
  type Expression,
  type Filtered,
  type Key,
  type NamedArgument,
  operators,
  type Variable,
} from "./parse/expression.ts";
export {
  fragment,
  fragmentIn,
  laxArguments,
  laxCondition,
  laxExpression,
  laxFiltered,
  type Piece,
} from "./parse/lax.ts";
export { Lexer } from "./parse/lexer.ts";
export { pieceOf, type TagParser } from "./parse/parser.ts";
export { readArguments, readCondition, readExpression, readFiltered } from "./parse/read-expression.ts";
export { readMarkup } from "./parse/read-markup.ts";
export type { MarkupToken } from "./parse/tokenizer.ts";
export { readLaxLoop, readStrictLoop } from "./tags/loop.ts";
export { render } from "./tags/render.ts";
export { readCall, readLaxCall } from "./tags/snippet-call.ts";
export { plainNumber } from "./values/decimal.ts";
export { Drop, plainValue } from "./values/drop.ts";
export { readName } from "./values/field.ts";
export { Float, floatOf } from "./values/float.ts";
export { toNumber } from "./values/number.ts";
export { printed } from "./values/text.ts";

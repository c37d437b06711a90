import { compileExpression, type Evaluator } from "../compile/expression.ts";
import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { Expression, NamedArgument } from "../parse/expression.ts";
import { fragmentSource, type MarkupPart, parseLaxArguments, parseLaxExpression } from "../parse/lax.ts";
import type { Lexer } from "../parse/lexer.ts";
import { markupOf, type Parser } from "../parse/parser.ts";
import { readExpression, readNamedArgument } from "../parse/read-expression.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { getLoopItems } from "../values/items.ts";
import { Range } from "../values/range.ts";

/** A compiled loop of `for` or `tablerow`: `x in list reversed limit: 3 offset: 1`. */
export interface CompiledLoop {
  readonly variable: string;
  /** Name of the loop, used by `offset: continue` and `forloop.name`. */
  readonly name: string;
  readonly list: Evaluator;
  readonly isReversed: boolean;
  readonly options: ReadonlyMap<string, Evaluator>;
  readonly offset: Evaluator | undefined;
  readonly limit: Evaluator | undefined;
  /**
   * Key of `Context.registers` under which the loop stores its end position, for a later loop with `offset: continue`.
   */
  readonly offsetKey: string;
  /** Whether the loop has the option `offset: continue`. */
  readonly isContinuation: boolean;
}

export interface ParsedLoop {
  readonly variable: string;
  readonly list: Expression;
  readonly listEndOffset: number;
  readonly isReversed: boolean;
  readonly options: readonly NamedArgument[];
}

/**
 * Parses the markup of a loop.
 * @param syntaxError message of the error
 * @throws LiquidError if the markup is not a loop
 */
export function readLoop(tag: MarkupToken, parser: Parser, syntaxError: string): CompiledLoop {
  const readMalformedLoop = (markupPart: MarkupPart): ParsedLoop => {
    const loop = readLaxLoop(markupPart);
    if (loop === undefined) throw new LiquidError("syntax", syntaxError, tag.begin);
    return loop;
  };
  const { variable, list, listEndOffset, isReversed, options } = parser.parseMarkup(
    markupOf(tag),
    readStrictLoop,
    readMalformedLoop,
  );
  const offset = options.findLast(({ name }) => name === "offset")?.value;
  const name = `${variable}-${parser.source.slice(list.at, listEndOffset)}`;
  const compiledOptions = new Map(options.map((option) => [option.name, compileExpression(option.value)]));
  return {
    variable,
    name,
    list: compileExpression(list),
    isReversed,
    options: compiledOptions,
    offset: compiledOptions.get("offset"),
    limit: compiledOptions.get("limit"),
    offsetKey: `for ${name}`,
    isContinuation: offset?.kind === "variable" && offset.name === "continue" && offset.keys.length === 0,
  };
}

export function readStrictLoop(lexer: Lexer): ParsedLoop {
  const variable = lexer.readWord();
  if (!lexer.skipWord("in")) throw lexer.createSyntaxError('"in"');
  const list = readExpression(lexer);
  const listEndOffset = lexer.end;
  const isReversed = lexer.skipWord("reversed");
  const options: NamedArgument[] = [];
  while (lexer.kind !== "end") {
    lexer.skipSign(",");
    options.push(readNamedArgument(lexer));
  }
  return { variable, list, listEndOffset, isReversed, options };
}

/** Parses malformed loop markup. Returns undefined if the markup is not a loop. */
export function readLaxLoop(markupPart: MarkupPart): ParsedLoop | undefined {
  const match = laxLoopPattern.exec(markupPart.text);
  if (match === null) return undefined;
  const [matchText = "", variable = "", list = "", reversedKeyword] = match;
  const listOffset = markupPart.at + matchText.indexOf(list, variable.length);
  return {
    variable,
    list: parseLaxExpression({ text: list, at: listOffset }),
    listEndOffset: listOffset + list.length,
    isReversed: reversedKeyword !== undefined,
    options: parseLaxArguments(markupPart),
  };
}

const laxLoopPattern = new RegExp(`^\\s*([\\w-]+)\\s+in\\s+(${fragmentSource})\\s*(reversed)?`);

/** The items of a list that a loop renders. */
export interface ItemRange {
  readonly items: readonly unknown[] | Range;
  /** Index of the first rendered item in `items`. `count` is the number of rendered items. */
  readonly begin: number;
  readonly count: number;
}

/**
 * Returns the items that a loop renders.
 * @param from index of the first item; a negative index means 0
 * @param limit maximum number of items; undefined for no limit
 */
export function sliceItems(context: Context, list: unknown, from: number, limit: number | undefined): ItemRange {
  // A loop over a string renders it as a single item and ignores offset and limit.
  if (typeof list === "string") return { items: getLoopItems(list), begin: 0, count: list === "" ? 0 : 1 };
  const allItems = getLoopItems(list);
  const items = allItems instanceof Range ? allItems : (context.options.loopItems?.(allItems) ?? allItems);
  const itemCount = items instanceof Range ? items.size : items.length;
  const start = Math.max(0, from);
  const end = limit === undefined ? itemCount : Math.min(itemCount, from + limit);
  return { items, begin: start, count: Math.max(0, end - start) };
}

export function getItem({ items }: ItemRange, index: number): unknown {
  return items instanceof Range ? items.first + index : items[index];
}

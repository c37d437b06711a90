import { compileExpression, type Evaluate } from "../compile/expression.ts";
import type { Context } from "../context.ts";
import type { Expression, NamedArgument } from "../parse/expression.ts";
import { fragment, laxArguments, laxExpression, type Piece } from "../parse/lax.ts";
import type { Lexer } from "../parse/lexer.ts";
import { type Parser, pieceOf } from "../parse/parser.ts";
import { readExpression, readNamed } from "../parse/read-expression.ts";
import type { MarkupToken } from "../parse/tokenizer.ts";
import { loopItems } from "../values/items.ts";
import { Range } from "../values/range.ts";

/** A compiled loop of `for` or `tablerow`: `x in list reversed limit: 3 offset: 1`. */
export interface Loop {
  readonly variable: string;
  /** Name of the loop, used by `offset: continue` and `forloop.name`. */
  readonly name: string;
  readonly list: Evaluate;
  readonly isReversed: boolean;
  readonly options: ReadonlyMap<string, Evaluate>;
  readonly offset: Evaluate | undefined;
  readonly limit: Evaluate | undefined;
  /** Key in `registers` of the position at which the loop ended, for `offset: continue`. */
  readonly register: string;
  /** Whether the loop has the option `offset: continue`. */
  readonly continues: boolean;
}

export interface LoopTree {
  readonly variable: string;
  readonly list: Expression;
  readonly listEnd: number;
  readonly isReversed: boolean;
  readonly options: readonly NamedArgument[];
}

/** Parses a loop.  @param laxly parser of malformed markup  @throws LiquidError if the markup is not a loop */
export function readLoop(tag: MarkupToken, parser: Parser, laxly: (markup: Piece) => LoopTree): Loop {
  const { variable, list, listEnd, isReversed, options } = parser.read(pieceOf(tag), readStrictLoop, laxly);
  const offset = options.findLast(({ name }) => name === "offset")?.value;
  const name = `${variable}-${parser.source.slice(list.at, listEnd)}`;
  const compiled = new Map(options.map((option) => [option.name, compileExpression(option.value)]));
  return {
    variable,
    name,
    list: compileExpression(list),
    isReversed,
    options: compiled,
    offset: compiled.get("offset"),
    limit: compiled.get("limit"),
    register: `for ${name}`,
    continues: offset?.kind === "variable" && offset.name === "continue" && offset.keys.length === 0,
  };
}

export function readStrictLoop(lexer: Lexer): LoopTree {
  const variable = lexer.word();
  if (!lexer.takeWord("in")) throw lexer.fault('"in"');
  const list = readExpression(lexer);
  const listEnd = lexer.end;
  const isReversed = lexer.takeWord("reversed");
  const options: NamedArgument[] = [];
  while (lexer.kind !== "end") {
    lexer.takeSign(",");
    options.push(readNamed(lexer));
  }
  return { variable, list, listEnd, isReversed, options };
}

/** Parses a malformed loop. Returns undefined if the markup is not a loop. */
export function readLaxLoop(piece: Piece): LoopTree | undefined {
  const match = laxLoop.exec(piece.text);
  if (match === null) return undefined;
  const [head = "", variable = "", list = "", reversed] = match;
  const at = piece.at + head.indexOf(list, variable.length);
  return {
    variable,
    list: laxExpression({ text: list, at }),
    listEnd: at + list.length,
    isReversed: reversed !== undefined,
    options: laxArguments(piece),
  };
}

const laxLoop = new RegExp(`^\\s*([\\w-]+)\\s+in\\s+(${fragment})\\s*(reversed)?`);

/** A range of the items of a list. */
export interface Segment {
  readonly items: readonly unknown[] | Range;
  /** Index of the first item in the range, and number of items. */
  readonly begin: number;
  readonly count: number;
}

/**
 * Returns the range of items that a loop renders.
 * @param from index of the first item; a negative index means 0
 * @param limit maximum number of items; undefined for no limit
 */
export function segmentOf(context: Context, list: unknown, from: number, limit: number | undefined): Segment {
  // A string is a single item, regardless of offset and limit.
  if (typeof list === "string") return { items: loopItems(list), begin: 0, count: list === "" ? 0 : 1 };
  const all = loopItems(list);
  const items = all instanceof Range ? all : (context.options.loopItems?.(all) ?? all);
  const total = items instanceof Range ? items.size : items.length;
  const begin = Math.max(0, from);
  const end = limit === undefined ? total : Math.min(total, from + limit);
  return { items, begin, count: Math.max(0, end - begin) };
}

export function itemAt({ items }: Segment, place: number): unknown {
  return items instanceof Range ? items.first + place : items[place];
}

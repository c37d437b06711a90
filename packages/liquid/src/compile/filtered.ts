import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { Filtered, FilterUse, NamedArgument } from "../parse/expression.ts";
import { compileExpression, type Evaluate } from "./expression.ts";
import { type Filter, type FilterDefinition, type FilterTable, NamedArguments } from "./filter.ts";

export function compileFiltered({ value, filters }: Filtered, table: FilterTable): Evaluate {
  const initial: Evaluate = value === undefined ? () => undefined : compileExpression(value);
  return filters.reduce((input, use) => compileUse(input, use, table.get(use.name)), initial);
}

function compileUse(input: Evaluate, use: FilterUse, definition: FilterDefinition | undefined): Evaluate {
  const { name, at, args, named } = use;
  // An unknown filter returns its input unchanged.
  if (definition === undefined)
    return (context) => {
      const value = input(context);
      context.filterAt = at;
      context.warn(`undefined filter ${name}`);
      return value;
    };
  const { apply, min: least, max: most } = definition;
  const argumentCount = args.length + (named.length > 0 ? 1 : 0);
  if (argumentCount < least || argumentCount > most) {
    const message = `wrong number of arguments (given ${argumentCount + 1}, expected ${numberText(least + 1, most + 1)})`;
    return (context) => {
      input(context);
      throw new LiquidError("render", message);
    };
  }
  const values = args.map(compileExpression);
  if (named.length > 0) values.push(compileNamed(named));
  return compileCall(use, input, apply, values);
}

/** Compiles a call of a filter. The call uses steps in proportion to the length of its input, arguments, and result. */
function compileCall({ name, at }: FilterUse, input: Evaluate, apply: Filter, args: readonly Evaluate[]): Evaluate {
  const [first, second] = args;
  if (first === undefined)
    return (context) => {
      const value = input(context);
      context.meter.use(weigh(context, name, value));
      context.filterAt = at;
      return made(context, apply.call(context, value));
    };
  if (second === undefined)
    return (context) => {
      const value = input(context);
      const one = first(context);
      context.meter.use(weigh(context, name, value) + weigh(context, name, one));
      context.filterAt = at;
      return made(context, apply.call(context, value, one));
    };
  return (context) => {
    const value = input(context);
    let weight = weigh(context, name, value);
    const argumentCount = args.map((arg) => {
      const one = arg(context);
      weight += weigh(context, name, one);
      return one;
    });
    context.meter.use(weight);
    context.filterAt = at;
    return made(context, apply.call(context, value, ...argumentCount));
  };
}

function weigh(context: Context, name: string, value: unknown): number {
  try {
    return context.weigh(value);
  } catch (error) {
    throw LiquidError.is(error, "limit") ? new LiquidError("limit", `${name} was given ${error.detail}`) : error;
  }
}

function made(context: Context, value: unknown): unknown {
  context.meter.use(context.weigh(value));
  return value;
}

function compileNamed(named: readonly NamedArgument[]): Evaluate {
  const fixed = new NamedArguments();
  for (const { name, value } of named) if (value.kind === "literal") fixed.set(name, value.value ?? undefined);
  if (named.every(({ value }) => value.kind === "literal")) return () => fixed;
  const pairs = named.map(({ name, value }) => [name, compileExpression(value)] as const);
  return (context) => {
    const argumentCount = new NamedArguments();
    for (const [name, value] of pairs) argumentCount.set(name, value(context) ?? undefined);
    return argumentCount;
  };
}

function numberText(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `${least}+`;
  return least === most ? String(least) : `${least}..${most}`;
}

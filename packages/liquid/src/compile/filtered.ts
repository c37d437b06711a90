import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { FilterCall, FilteredValue, NamedArgument } from "../parse/expression.ts";
import { compileExpression, type Evaluator } from "./expression.ts";
import { type Filter, type FilterDefinition, type FilterTable, NamedArguments } from "./filter.ts";

export function compileFilteredValue({ value, filters }: FilteredValue, table: FilterTable): Evaluator {
  const initialValue: Evaluator = value === undefined ? () => undefined : compileExpression(value);
  return filters.reduce(
    (input, filterCall) => compileFilter(input, filterCall, table.get(filterCall.name)),
    initialValue,
  );
}

function compileFilter(input: Evaluator, filterCall: FilterCall, definition: FilterDefinition | undefined): Evaluator {
  const { name, at, args, namedArgs } = filterCall;
  // An unknown filter returns its input unchanged.
  if (definition === undefined)
    return (context) => {
      const value = input(context);
      context.filterOffset = at;
      context.warn(`undefined filter ${name}`);
      return value;
    };
  const { apply, minArguments, maxArguments } = definition;
  const argumentCount = args.length + (namedArgs.length > 0 ? 1 : 0);
  if (argumentCount < minArguments || argumentCount > maxArguments) {
    const message = `wrong number of arguments (given ${argumentCount + 1}, expected ${formatArgumentRange(minArguments + 1, maxArguments + 1)})`;
    return (context) => {
      input(context);
      throw new LiquidError("render", message);
    };
  }
  const compiledArgs = args.map(compileExpression);
  if (namedArgs.length > 0) compiledArgs.push(compileNamedArguments(namedArgs));
  return compileCall(filterCall, input, apply, compiledArgs);
}

/**
 * Compiles the call of a filter. Each call uses up part of the render's step limit, depending on the lengths of its
 * input, its arguments, and its result.
 */
function compileCall(
  { name, at }: FilterCall,
  input: Evaluator,
  applyFilter: Filter,
  args: readonly Evaluator[],
): Evaluator {
  const [firstArg, secondArg] = args;
  if (firstArg === undefined)
    return (context) => {
      const value = input(context);
      context.meter.use(countArgumentSteps(context, name, value));
      context.filterOffset = at;
      return countResultSteps(context, applyFilter.call(context, value));
    };
  if (secondArg === undefined)
    return (context) => {
      const value = input(context);
      const argument = firstArg(context);
      context.meter.use(countArgumentSteps(context, name, value) + countArgumentSteps(context, name, argument));
      context.filterOffset = at;
      return countResultSteps(context, applyFilter.call(context, value, argument));
    };
  return (context) => {
    const value = input(context);
    let weight = countArgumentSteps(context, name, value);
    const argumentValues = args.map((expression) => {
      const argument = expression(context);
      weight += countArgumentSteps(context, name, argument);
      return argument;
    });
    context.meter.use(weight);
    context.filterOffset = at;
    return countResultSteps(context, applyFilter.call(context, value, ...argumentValues));
  };
}

function countArgumentSteps(context: Context, name: string, value: unknown): number {
  try {
    return context.weigh(value);
  } catch (error) {
    throw LiquidError.is(error, "limit") ? new LiquidError("limit", `${name} was given ${error.detail}`) : error;
  }
}

function countResultSteps(context: Context, value: unknown): unknown {
  context.meter.use(context.weigh(value));
  return value;
}

function compileNamedArguments(namedArgs: readonly NamedArgument[]): Evaluator {
  const literalArguments = new NamedArguments();
  for (const { name, value } of namedArgs)
    if (value.kind === "literal") literalArguments.set(name, value.value ?? undefined);
  if (namedArgs.every(({ value }) => value.kind === "literal")) return () => literalArguments;
  const pairs = namedArgs.map(({ name, value }) => [name, compileExpression(value)] as const);
  return (context) => {
    const namedArguments = new NamedArguments();
    for (const [name, value] of pairs) namedArguments.set(name, value(context) ?? undefined);
    return namedArguments;
  };
}

function formatArgumentRange(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `${min}+`;
  return min === max ? String(min) : `${min}..${max}`;
}

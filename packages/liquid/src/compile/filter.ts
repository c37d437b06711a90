import type { Context } from "../context.ts";

/**
 * A filter: a function of the value before the bar and the arguments. The value nil is null or undefined. `this` is the
 * render context, with its limits and options. Named arguments (`size: 2`) are the last argument, in one
 * `NamedArguments`.
 */
export type Filter = (this: Context, value: unknown, ...args: unknown[]) => unknown;

/** A filter and its allowed number of arguments, not counting the value. Another number is an error of the template. */
export interface FilterDefinition {
  readonly apply: Filter;
  readonly min: number;
  readonly max: number;
}

/** Filters by name. */
export type FilterFunctions = Readonly<Record<string, Filter>>;

export type FilterTable = ReadonlyMap<string, FilterDefinition>;

/**
 * Named arguments of a filter: `filter: size: 2`. The value nil is undefined. Filters must not modify the map, since
 * calls with the same literals share it.
 */
export class NamedArguments extends Map<string, unknown> {}

/**
 * Returns definitions of filters with the same number of arguments.
 * @param min minimum number of arguments
 * @param max maximum number of arguments
 */
export function defineFilters(min: number, max: number, functions: FilterFunctions): [string, FilterDefinition][] {
  return Object.entries(functions).map(([name, apply]) => [name, { apply, min, max }]);
}

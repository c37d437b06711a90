import type { Context } from "../context.ts";

/**
 * A filter, as a function of the value to the left of the `|` and of the filter's arguments. The Liquid value nil is
 * null or undefined. `this` is the render context, with its limits and options. Named arguments (`size: 2`) are passed
 * together as the last argument, a `NamedArguments`.
 */
export type Filter = (this: Context, value: unknown, ...args: unknown[]) => unknown;

/**
 * A filter and the number of arguments that it accepts, not counting the input value. Any other number of arguments is
 * a template error.
 */
export interface FilterDefinition {
  readonly apply: Filter;
  readonly minArguments: number;
  readonly maxArguments: number;
}

/** Filters by name. */
export type FilterFunctions = Readonly<Record<string, Filter>>;

export type FilterTable = ReadonlyMap<string, FilterDefinition>;

/**
 * Named arguments of a filter: `filter: size: 2`. The Liquid value nil is undefined. Filters must not modify the map,
 * because it is shared by all calls with the same literal arguments.
 */
export class NamedArguments extends Map<string, unknown> {}

/**
 * Defines several filters that accept the same number of arguments.
 * @param min minimum number of arguments
 * @param max maximum number of arguments
 */
export function defineFilters(min: number, max: number, functions: FilterFunctions): [string, FilterDefinition][] {
  return Object.entries(functions).map(([name, apply]) => [name, { apply, minArguments: min, maxArguments: max }]);
}

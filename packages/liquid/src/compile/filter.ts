import type { Context } from "../context.ts";

/**
 * A filter: a function of the value before the bar and the arguments; nil is null or undefined. `this` is the render,
 * for its limits and options. Named arguments (`size: 2`) come last, in one `NamedArguments`.
 */
export type Filter = (this: Context, value: unknown, ...args: unknown[]) => unknown;

/** A filter and its number of arguments, without the value. Another number of arguments is an error of the template. */
export interface FilterDefinition {
  readonly apply: Filter;
  readonly min: number;
  readonly max: number;
}

/** Filters by name, without a check of their arguments. */
export type FilterFamily = Readonly<Record<string, Filter>>;

export type FilterTable = ReadonlyMap<string, FilterDefinition>;

/** Named arguments of a filter: `filter: size: 2`. Nil is undefined. Read-only: calls with the same literals share it. */
export class NamedArguments extends Map<string, unknown> {}

/**
 * Defines filters with a number of arguments.
 * @param min minimum number of arguments
 * @param max maximum number of arguments
 */
export function taking(min: number, max: number, family: FilterFamily): [string, FilterDefinition][] {
  return Object.entries(family).map(([name, apply]) => [name, { apply, min, max }]);
}

import type { Context } from "../context.ts";

/** A filter; `this` is the render. Named arguments come last, in one `NamedArguments`. */
export type Filter = (this: Context, value: unknown, ...args: unknown[]) => unknown;

/** A filter and its number of arguments, not counting the value. */
export interface FilterDefinition {
  readonly apply: Filter;
  readonly min: number;
  readonly max: number;
}

/** Filters by name. */
export type FilterFamily = Readonly<Record<string, Filter>>;

export type FilterTable = ReadonlyMap<string, FilterDefinition>;

/**
 * Named arguments: `filter: size: 2`. Nil is undefined. Filters must not change it, since literals are shared by all
 * calls.
 */
export class NamedArguments extends Map<string, unknown> {}

/**
 * Defines filters with a number of arguments.
 * @param min minimum number of arguments
 * @param max maximum number of arguments
 */
export function taking(min: number, max: number, family: FilterFamily): [string, FilterDefinition][] {
  return Object.entries(family).map(([name, apply]) => [name, { apply, min, max }]);
}

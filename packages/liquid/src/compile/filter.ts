import type { Context } from "../context.ts";

/** A filter: `this` is the render. Named arguments come last, as one. */
export type Filter = (this: Context, value: unknown, ...args: unknown[]) => unknown;

/** A filter with how many arguments it takes, its value not counted. */
export interface FilterDefinition {
  readonly apply: Filter;
  readonly least: number;
  readonly most: number;
}

/** Filters by the names that templates use. */
export type FilterFamily = Readonly<Record<string, Filter>>;

export type FilterTable = ReadonlyMap<string, FilterDefinition>;

/** `filter: size: 2`. Nil is undefined; filters leave it as it is, as one whose values are literals is given to every call. */
export class NamedArguments extends Map<string, unknown> {}

/** @param family filters that take so many arguments */
export function taking(least: number, most: number, family: FilterFamily): [string, FilterDefinition][] {
  return Object.entries(family).map(([name, apply]) => [name, { apply, least, most }]);
}

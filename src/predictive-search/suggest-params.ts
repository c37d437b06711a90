import { Problem } from "../problem.ts";
import { fieldNumbers } from "./documents.ts";

export const resourceTypes = ["product", "collection", "page", "article", "bundle", "query"] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** Parsed parameters of a suggestion request. @see spec 4.1 */
export interface SuggestParams {
  readonly q: string;
  readonly types: readonly ResourceType[];
  /** Maximum number of suggestions, from 1 to 10. */
  readonly limit: number;
  readonly limitScope: "all" | "each";
  readonly unavailableProducts: "last" | "show" | "hide";
  /** Fields to search, named as in `resources[options][fields]`. Default: all. */
  readonly fields?: readonly string[];
  /** Whether the response includes filters. */
  readonly facets?: true;
  /** Whether misspelled words are corrected. Default: they are, if the settings allow it. */
  readonly spelling?: "corrected" | "exact";
}

const defaultTypes: readonly ResourceType[] = ["query", "product", "collection", "page", "bundle"];
const defaultLimit = 10;
export const maxSuggestions = 10;

/**
 * Parses the query string of the predictive search endpoints. A name with brackets, such as `resources[limit]`, takes
 * precedence over the short name `limit`. The first of several values counts. Unknown parameters are ignored.
 * @throws Problem `invalid_parameter` for the first invalid parameter in the order q, type, limit, limit_scope, options
 * @see spec 4.1, 7.1
 */
export function parseSuggestParams(query: URLSearchParams): SuggestParams {
  const q = readSearchTerms(query.get("q"));
  if (q.trim() === "") throw new Problem("invalid_parameter", "Missing q param");
  const types = readTypes(query.get("resources[type]") ?? query.get("type"));
  const limit = readLimit(query.get("resources[limit]") ?? query.get("limit"));
  const limitScope = readOption(query.get("resources[limit_scope]") ?? query.get("limit_scope"), "limit_scope", [
    "all",
    "each",
  ] as const);
  const unavailableProducts = readUnavailableProducts(query);
  const fields = readFields(query.get("resources[options][fields]"));
  const facets = readOption(query.get("resources[options][facets]"), "facets", ["false", "true"] as const);
  const spelling = readSpellingMode(query);
  const includesFacets = facets === "true" || query.get("facets") === "true";
  return {
    ...{ q, types, limit, limitScope, unavailableProducts },
    ...(fields === undefined ? {} : { fields }),
    ...(includesFacets ? { facets: true } : {}),
    ...(spelling === "exact" ? { spelling } : {}),
  };
}

/** Returns printable search terms: control characters become blanks, and unpaired surrogates are replaced. */
export function readSearchTerms(value: string | null): string {
  return (value ?? "").toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}

/** Parses a comma-separated list of types. Default: `defaultTypes`.  @throws Problem `invalid_parameter` */
export function readTypes(value: string | null): readonly ResourceType[] {
  if (value === null) return defaultTypes;
  const types = new Set<ResourceType>();
  for (const name of value.split(",")) {
    const type = resourceTypes.find((resourceType) => resourceType === name.trim());
    if (type === undefined) throw createInvalidOptionProblem("type");
    types.add(type);
  }
  return [...types];
}

function readLimit(value: string | null): number {
  if (value === null) return defaultLimit;
  const limit = /^[0-9]{1,15}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > maxSuggestions) throw createInvalidOptionProblem("limit");
  return limit;
}

/** Parses whether and where sold-out products are shown. @throws Problem `invalid_parameter` */
export function readUnavailableProducts(query: URLSearchParams): SuggestParams["unavailableProducts"] {
  return readOption(query.get("resources[options][unavailable_products]"), "unavailable_products", [
    "last",
    "show",
    "hide",
  ] as const);
}

/** Parses whether misspelled words are corrected. @throws Problem `invalid_parameter` */
export function readSpellingMode(query: URLSearchParams): "corrected" | "exact" {
  const value = query.get("resources[options][spelling]") ?? query.get("spelling");
  return readOption(value, "spelling", ["corrected", "exact"] as const);
}

/** Parses an option that must be one of `allowedValues`. Default: the first value. */
function readOption<T extends string>(value: string | null, name: string, allowedValues: readonly [T, ...T[]]): T {
  if (value === null) return allowedValues[0];
  const match = allowedValues.find((option) => option === value);
  if (match === undefined) throw createInvalidOptionProblem(name);
  return match;
}

/**
 * Parses a comma-separated list of field names; returns undefined for all fields. @throws Problem `invalid_parameter`
 */
export function readFields(value: string | null): readonly string[] | undefined {
  if (value === null) return undefined;
  const names = new Set(value.split(",").map((name) => name.trim()));
  for (const name of names) if (!fieldNumbers.has(name)) throw createInvalidOptionProblem("fields");
  return [...names];
}

function createInvalidOptionProblem(name: string): Problem {
  return new Problem("invalid_parameter", `Invalid option for ${name} parameter`);
}

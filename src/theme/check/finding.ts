import { getOrCreate } from "../../runtime/cache.ts";

/** Severity of a problem. An error breaks a page or is visible to shoppers. A warning should be reviewed. */
export type Severity = "error" | "warning";

export interface SourceLocation {
  /** Path in the theme: "sections/header.liquid". */
  readonly file: string;
  /** Line number, from 1. Undefined if the finding concerns the entire file. */
  readonly line?: number;
  /** Column number, from 1. */
  readonly column?: number;
}

/** A problem in a theme, with all of its locations. */
export interface Finding {
  /** Id of the check that found the problem: "unknown-filter". */
  readonly rule: string;
  readonly severity: Severity;
  /** Description of the problem and its solution. */
  readonly message: string;
  /** Catalog entry that the theme expects. If the store has this entry, `removeExistingEntries` removes the finding. */
  readonly entry?: NamedEntry;
  /** Handle of the menu that the theme expects. */
  readonly menu?: string;
  /** Locations of the problem, sorted by file, line and column. Never empty. */
  readonly places: readonly SourceLocation[];
}

/** A catalog entry to which a theme refers. */
export interface NamedEntry {
  readonly kind: "product" | "collection" | "page" | "blog" | "article";
  /** Handle of the entry. The handle of an article includes its blog: "news/first". */
  readonly handle: string;
}

/** Removes findings about entries that exist.  @param entryExists returns whether the store has an entry */
export function removeExistingEntries(
  findings: readonly Finding[],
  entryExists: (entry: NamedEntry) => boolean,
): Finding[] {
  return findings.filter(({ entry }) => entry === undefined || !entryExists(entry));
}

/** Collects findings in any order and merges equal findings into one with several locations. */
export class Findings {
  readonly #findingsByKey = new Map<
    string,
    Omit<Finding, "places"> & { readonly places: Map<string, SourceLocation> }
  >();

  add(
    severity: Severity,
    rule: string,
    location: SourceLocation,
    message: string,
    subject: Pick<Finding, "entry" | "menu"> = {},
  ): void {
    const groupKey = `${severity} ${rule} ${message}`;
    const finding = getOrCreate(this.#findingsByKey, groupKey, () => ({
      rule,
      severity,
      message,
      ...subject,
      places: new Map(),
    }));
    finding.places.set(`${location.file}:${location.line}:${location.column}`, location);
  }

  /** Returns all findings, sorted by first location, then by message. */
  toSorted(): Finding[] {
    return [...this.#findingsByKey.values()]
      .map(({ places, ...finding }) => ({ ...finding, places: [...places.values()].sort(compareLocations) }))
      .sort(
        (left, right) =>
          compareLocations(left.places[0] as SourceLocation, right.places[0] as SourceLocation) ||
          (left.message < right.message ? -1 : 1),
      );
  }
}

function compareLocations(left: SourceLocation, right: SourceLocation): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

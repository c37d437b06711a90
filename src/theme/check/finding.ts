/** Severity of a finding. An error makes a page fail or is visible to shoppers. A warning deserves a review. */
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
  /** Name of the check: "unknown-filter". */
  readonly rule: string;
  readonly severity: Severity;
  /** Description of the problem and its solution. */
  readonly message: string;
  /** Catalog entry that the finding depends on. If the store has the entry, `withoutExisting` removes the finding. */
  readonly entry?: NamedEntry;
  /** Locations of the problem, sorted by file, line and column. Never empty. */
  readonly places: readonly SourceLocation[];
}

/** A catalog entry that a theme names. */
export interface NamedEntry {
  readonly kind: "product" | "collection" | "page" | "blog" | "article";
  /** Handle of the entry. The handle of an article includes its blog: "news/first". */
  readonly handle: string;
}

/** Removes findings about entries that exist.  @param has returns whether the store has an entry */
export function withoutExisting(findings: readonly Finding[], has: (entry: NamedEntry) => boolean): Finding[] {
  return findings.filter(({ entry }) => entry === undefined || !has(entry));
}

/** Collects findings in any order and merges equal findings into one with several locations. */
export class Findings {
  readonly #byCause = new Map<string, Omit<Finding, "places"> & { readonly places: Map<string, SourceLocation> }>();

  add(severity: Severity, rule: string, place: SourceLocation, message: string, entry?: NamedEntry): void {
    const cause = `${severity} ${rule} ${message}`;
    let finding = this.#byCause.get(cause);
    if (finding === undefined) {
      finding = { rule, severity, message, ...(entry === undefined ? {} : { entry }), places: new Map() };
      this.#byCause.set(cause, finding);
    }
    finding.places.set(`${place.file}:${place.line}:${place.column}`, place);
  }

  /** Returns all findings, sorted by first location, then by message. */
  toSorted(): Finding[] {
    return [...this.#byCause.values()]
      .map(({ places, ...finding }) => ({ ...finding, places: [...places.values()].sort(comparePlaces) }))
      .sort(
        (left, right) =>
          comparePlaces(left.places[0] as SourceLocation, right.places[0] as SourceLocation) ||
          (left.message < right.message ? -1 : 1),
      );
  }
}

function comparePlaces(left: SourceLocation, right: SourceLocation): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

/** An error makes a page fail or is visible to shoppers; a warning deserves a check. */
export type Severity = "error" | "warning";

export interface SourceLocation {
  /** "sections/header.liquid" */
  readonly file: string;
  /** From 1; undefined if the finding concerns the entire file. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** A problem of a theme, with all of its locations. */
export interface Finding {
  /** Name of the check: "unknown-filter". */
  readonly rule: string;
  readonly severity: Severity;
  /** The problem and its solution. */
  readonly message: string;
  /** The finding holds only if the store lacks this entry; `withoutKnown` removes it otherwise. */
  readonly entry?: NamedEntry;
  /** Sorted by file, line and column; not empty. */
  readonly places: readonly SourceLocation[];
}

/** A catalog entry that a theme names. */
export interface NamedEntry {
  readonly kind: "product" | "collection" | "page" | "blog" | "article";
  /** Articles have their blog's handle in front: "news/first". */
  readonly handle: string;
}

/** Removes findings about entries that exist.  @param has returns whether the store has an entry */
export function withoutKnown(findings: readonly Finding[], has: (entry: NamedEntry) => boolean): Finding[] {
  return findings.filter(({ entry }) => entry === undefined || !has(entry));
}

/** Collects findings in any order and merges equal ones into one finding with several locations. */
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

  /** Sorted by first location, then by message. */
  all(): Finding[] {
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

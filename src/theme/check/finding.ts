/** A fault is something that fails, or that a shopper sees; a warning is something to look at. */
export type Severity = "fault" | "warning";

export interface Place {
  /** "sections/header.liquid" */
  readonly file: string;
  /** 1 for the first; absent: the finding has no one line. */
  readonly line?: number;
  /** 1 for the first. */
  readonly column?: number;
}

/** Something to put right in a theme, with every place that it has. */
export interface Finding {
  /** Short name of what is checked: "unknown-filter". */
  readonly rule: string;
  readonly severity: Severity;
  /** What is wrong, and what to write instead. */
  readonly message: string;
  /** It holds only where the store has no such entry, which the checker does not know: who does takes it away with `withoutKnown`. */
  readonly entry?: NamedEntry;
  /** Sorted by file, line and column; at least one. */
  readonly places: readonly Place[];
}

/** What a theme asks the catalogue for. */
export interface NamedEntry {
  readonly kind: "product" | "collection" | "page" | "blog" | "article";
  /** Of an article with its blog's: "news/first". */
  readonly handle: string;
}

/** @param has whether the store has an entry */
export function withoutKnown(findings: readonly Finding[], has: (entry: NamedEntry) => boolean): Finding[] {
  return findings.filter(({ entry }) => entry === undefined || !has(entry));
}

/** Takes findings in any order; those that say the same are one finding with several places. */
export class Findings {
  readonly #byCause = new Map<string, Omit<Finding, "places"> & { readonly places: Map<string, Place> }>();

  add(severity: Severity, rule: string, place: Place, message: string, entry?: NamedEntry): void {
    const cause = `${severity} ${rule} ${message}`;
    let finding = this.#byCause.get(cause);
    if (finding === undefined) {
      finding = { rule, severity, message, ...(entry === undefined ? {} : { entry }), places: new Map() };
      this.#byCause.set(cause, finding);
    }
    finding.places.set(`${place.file}:${place.line}:${place.column}`, place);
  }

  /** Sorted by the first place of each, then by what they say. */
  all(): Finding[] {
    return [...this.#byCause.values()]
      .map(({ places, ...finding }) => ({ ...finding, places: [...places.values()].sort(comparePlaces) }))
      .sort(
        (left, right) =>
          comparePlaces(left.places[0] as Place, right.places[0] as Place) || (left.message < right.message ? -1 : 1),
      );
  }
}

function comparePlaces(left: Place, right: Place): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

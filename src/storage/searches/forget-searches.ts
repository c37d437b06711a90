import type { Database } from "../database.ts";
import { sweepInOrder, sweepRows } from "../sweeping.ts";
import { countableTerm } from "./search-term.ts";

/** What was forgotten. */
export interface Forgotten {
  /** Searched terms. */
  readonly terms: number;
  /** Pairs of a term and a product that was chosen. */
  readonly choices: number;
}

/** Forgets what shoppers searched, and what they chose then.
 *  @param text what was searched, in any spelling of case and blanks; absent: all of it */
export async function forgetSearches(database: Database, text?: string): Promise<Forgotten> {
  const term = text === undefined ? "" : countableTerm(text);
  // What is not counted is not kept.
  if (term === undefined) return { terms: 0, choices: 0 };
  const these = { where: term === "" ? "term <> $1" : "term = $1", bound: term };
  const visit = ["day", "locale", "term"];
  await sweepInOrder(database, { ...these, table: "search_visits", key: [...visit, "visitor"] });
  await sweepInOrder(database, {
    ...these,
    table: "search_choice_visits",
    key: [...visit, "product", "step", "visitor"],
  });
  await sweepInOrder(database, { ...these, table: "search_day_visits", key: [...visit, "outcome", "visitor"] });
  await sweepInOrder(database, { ...these, table: "search_days", key: visit });
  const key = ["locale", "term"];
  return {
    terms: await sweepRows(database, { ...these, table: "search_terms", key }),
    choices: await sweepRows(database, { ...these, table: "search_choices", key: [...key, "product"] }),
  };
}

import type { LearnedChoice } from "@vitrine/search";
import type { Database } from "../storage/database.ts";
import { learnedChoices } from "../storage/searches/choice-store.ts";
import { type PopularTerm, popularTerms } from "../storage/searches/search-log-store.ts";

/** What shoppers searched, and what they chose then. */
export interface Shoppers {
  /** When it was read. */
  readonly at: number;
  readonly popular: readonly PopularTerm[];
  readonly chosen: readonly LearnedChoice<string>[];
  /** Another where something changed. */
  readonly text: string;
}

/** @param learns whether what they chose counts */
export async function readShoppers(database: Database, now: number, learns: boolean): Promise<Shoppers> {
  const popular = await popularTerms(database, now);
  const chosen = learns ? await learnedChoices(database, now) : [];
  return { at: now, popular, chosen, text: JSON.stringify([popular, chosen]) };
}

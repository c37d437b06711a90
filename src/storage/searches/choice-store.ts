import type { Database } from "../database.ts";
import { scaleOf } from "../forward-decay.ts";
import { sweepInOrder, sweepRows } from "../sweeping.ts";
import { countableTerm } from "./search-term.ts";
import {
  createVisitLog,
  dayOf,
  isByMany,
  networksOf,
  settle,
  settled,
  shownFromNetworks,
  type Visit,
  type VisitLogOptions,
  type VisitTable,
} from "./visit-log.ts";

/** What nobody chose for so many days is forgotten: an eighth of it is left then. */
const KEPT_DAYS = 90;
/** The same where no second network chose it. */
const KEPT_DAYS_ALONE = 14;
/** What the choices of one network count at most, in choices of the first place, however often it comes back: a shopper who opens a product
 *  far down and takes it counts for more, and few do. */
const MAX_BY_NETWORK = 6;
/** Pairs that are shown at most, the heaviest of them. */
const MAX_LEARNED = 10_000;

/** A product that was opened after a search that shows it, or put into the cart. */
export interface Choice {
  readonly term: string;
  readonly locale: string;
  /** The product's id. */
  readonly product: string;
  readonly step: "opened" | "added";
  /** In units of a product in the first place that was opened. */
  readonly weight: number;
}

/** What shoppers who searched a text chose. */
export interface LearnedProduct {
  readonly locale: string;
  readonly text: string;
  /** The product's. */
  readonly id: string;
  /** Choices, those of long ago counting less. */
  readonly weight: number;
}

/** Counts choices in the database. */
export interface StoredChoiceLog {
  /** Never throws and never waits for the disk. @param network a block of addresses; hashes of it alone are written */
  record(choice: Choice, network: string, now: number): void;
  /** Writes what is gathered; never throws. */
  flush(): Promise<void>;
  /** Writes what is gathered and stops. */
  close(): Promise<void>;
}

/** Counts what shoppers choose after a search, by networks. @param options.newRows asked for each pair of term and product that nobody chose
 *  before */
export function createChoiceLog(database: Database, options: VisitLogOptions): StoredChoiceLog {
  const visits = createVisitLog(database, choices, options);
  return {
    record(choice, network, now) {
      const term = countableTerm(choice.term);
      if (term !== undefined) visits.record({ ...choice, term, network, now });
    },
    flush: visits.flush,
    close: visits.close,
  };
}

/** What enough networks chose before today, heaviest first. */
export async function learnedChoices(database: Database, now: number): Promise<readonly LearnedProduct[]> {
  const day = dayOf(now);
  const rows = await database.read(
    `SELECT locale, term, product, ${settled("networks")}, ${settled("weight")}
      FROM search_choices WHERE visitors >= ${shownFromNetworks} ORDER BY weight DESC, locale, term, product`,
    [day],
  );
  return rows
    .filter(isByMany)
    .slice(0, MAX_LEARNED)
    .map((row) => ({
      locale: String(row.locale),
      text: String(row.term),
      id: String(row.product),
      weight: Math.min(Number(row.weight) / scaleOf(day), MAX_BY_NETWORK * networksOf(row)),
    }));
}

/** Deletes the visits of earlier days, and pairs that nobody chose for long. */
export async function sweepChoices(database: Database, now: number): Promise<void> {
  const day = dayOf(now);
  await sweepInOrder(database, { table: "search_choice_visits", key: visitKey, where: "day < $1", bound: day });
  const old = { table: "search_choices", key: ["locale", "term", "product"], where: "last_day < $1" };
  await sweepRows(database, { ...old, bound: day - KEPT_DAYS });
  const isOfOne = "(networks & (networks - 1)) = 0";
  await sweepRows(database, { ...old, where: `last_day < $1 AND ${isOfOne}`, bound: day - KEPT_DAYS_ALONE });
}

interface ChoiceVisit extends Choice, Visit {}

const visitKey = ["day", "locale", "term", "product", "step", "visitor"];

const isNotVisited = `NOT EXISTS (SELECT 1 FROM search_choice_visits
    WHERE day = $1 AND locale = $2 AND term = $3 AND product = $4 AND step = $5 AND visitor = $6)`;

/** What a choice changes. @param day SQL of its day */
const counted = (day: string): string => `${settle("search_choices", "networks", day)},
    ${settle("search_choices", "weight", day)},
    visitors = search_choices.visitors + 1,
    networks = search_choices.networks | CAST($7 AS BIGINT),
    weight = search_choices.weight + CAST($8 AS DOUBLE PRECISION),
    last_day = CASE WHEN search_choices.last_day < ${day} THEN ${day} ELSE search_choices.last_day END`;

const upsertChoice = `INSERT INTO search_choices (locale, term, product, visitors, networks, weight, last_day)
    SELECT CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), 1, CAST($7 AS BIGINT), CAST($8 AS DOUBLE PRECISION), CAST($1 AS BIGINT)
    WHERE ${isNotVisited}
    ON CONFLICT (locale, term, product) DO UPDATE SET ${counted("excluded.last_day")} RETURNING visitors`;

const updateChoice = `UPDATE search_choices SET ${counted("CAST($1 AS BIGINT)")}
    WHERE locale = $2 AND term = $3 AND product = $4 AND ${isNotVisited} RETURNING visitors`;

const insertVisit = `INSERT INTO search_choice_visits (${visitKey.join(", ")})
    SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS TEXT)
    WHERE EXISTS (SELECT 1 FROM search_choices WHERE locale = $2 AND term = $3 AND product = $4)
    ON CONFLICT DO NOTHING`;

const choices: VisitTable<ChoiceVisit> = {
  name: "choices after searches",
  row: ({ locale, term, product }) => [locale, term, product],
  kind: ({ step }) => step,
  count({ locale, term, product, step, weight }, { day, visitor, networkBit, mayAdd }) {
    const visit = [day, locale, term, product, step, visitor];
    return [
      { sql: mayAdd ? upsertChoice : updateChoice, params: [...visit, networkBit, weight * scaleOf(day)] },
      { sql: insertVisit, params: visit },
    ];
  },
};

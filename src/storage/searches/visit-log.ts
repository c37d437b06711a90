import { createHmac } from "node:crypto";
import type { Database, SqlRow, Statement } from "../database.ts";

/** Something that one network did on one day. */
export interface Visit {
  /** A block of addresses; hashes of it alone are written. */
  readonly network: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What is counted, as SQL. */
export interface VisitTable<V extends Visit> {
  /** What the log calls them: "searches". */
  readonly name: string;
  /** Key of the row in which a visit counts. */
  readonly row: (visit: V) => readonly string[];
  /** What else tells visits to one row apart that count beside each other; absent: nothing. */
  readonly kind?: (visit: V) => string;
  /** Counts a visit where this visitor made none like it today, and remembers that it was made. The first statement returns `visitors`, how many
   *  are counted in the row then. */
  readonly count: (visit: V, at: CountedVisit) => readonly [Statement, Statement];
}

export interface CountedVisit {
  /** Days since 1970. */
  readonly day: number;
  /** Of the network, for this day alone. */
  readonly visitor: string;
  /** The network's bit in this row, as a number. */
  readonly networkBit: number;
  /** The row may be new. */
  readonly mayAdd: boolean;
}

export interface VisitLogOptions {
  /** Random text of 128 bits or more. */
  readonly newSalt: () => string;
  /** A keyed digest, base64url; the key is not in the database. */
  readonly digest: (text: string) => string;
  /** Asked for each row that nobody visited before, by network. */
  readonly newRows: {
    take(network: string, now: number): boolean;
    giveBack(network: string, now: number): void;
  };
  readonly log?: { warn(fields: { readonly error: unknown }, message: string): void };
}

export interface VisitLog<V extends Visit> {
  /** Never throws and never waits for the disk. */
  record(visit: V): void;
  /** Writes what is gathered; never throws. */
  flush(): Promise<void>;
  /** Writes what is gathered and stops. */
  close(): Promise<void>;
}

/** A row is shown to others from so many network bits on: about 26 networks, seldom fewer than 22 and never fewer than 20. Which networks share a
 *  bit, nobody can know, so that nobody can bring a row to where one shopper's visit makes the difference. */
export const shownFromNetworks = 20;
/** Each network that visits a row sets one of so many bits of it, always the same; a number with so many bits is exact. */
const NETWORK_BITS = 48;
/** How long visits are gathered before they are written, in milliseconds. */
const FLUSH_MS = 2_000;
/** Visits gathered at most; further ones are not counted, which a flood alone brings about. */
const MAX_GATHERED = 2_000;
const DAY_MS = 86_400_000;

/** Counts visits by networks, each once a row and day. Networks are told apart within a day by a hash whose salt is made anew each day and
 *  deleted when the day is over (the hashes within some hours), so that no one can be followed from one day to the next. */
export function createVisitLog<V extends Visit>(
  database: Database,
  table: VisitTable<V>,
  { newSalt, digest, newRows, log }: VisitLogOptions,
): VisitLog<V> {
  /** A network's visits to one row count once. */
  let gathered = new Map<string, V>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let salt: { readonly day: number; readonly text: string } | undefined;
  let hasFailed = false;

  const saltOf = async (day: number): Promise<string> => {
    if (salt?.day !== day) salt = { day, text: await beginDay(database, day, newSalt()) };
    return salt.text;
  };
  const countOne = (visit: V, day: number, salt: string, mayAdd: boolean): readonly [Statement, Statement] => {
    const { network } = visit;
    const visitor = createHmac("sha256", salt).update(network).digest("base64url").slice(0, 22);
    const number = Buffer.from(digest(JSON.stringify([...table.row(visit), network])), "base64url").readUInt32BE();
    return table.count(visit, { day, visitor, networkBit: 2 ** (number % NETWORK_BITS), mayAdd });
  };
  const writeDay = async (visits: readonly V[], day: number): Promise<void> => {
    const salt = await saltOf(day);
    const mayAdd = visits.map(({ network, now }) => newRows.take(network, now));
    const counted = await database.write(
      visits.flatMap((visit, index) => countOne(visit, day, salt, mayAdd[index] === true)),
    );
    visits.forEach(({ network, now }, index) => {
      const isAdded = counted[2 * index]?.[0]?.visitors === 1;
      if (mayAdd[index] === true && !isAdded) newRows.giveBack(network, now);
    });
  };
  const write = async (): Promise<void> => {
    const visits = [...gathered.values()];
    gathered = new Map();
    try {
      for (const [day, ofDay] of Map.groupBy(visits, ({ now }) => dayOf(now))) await writeDay(ofDay, day);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log?.warn({ error }, `${table.name} could not be counted`);
      hasFailed = true;
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.size > 0) writing = writing.then(write);
    return writing;
  };

  return {
    record(visit) {
      if (gathered.size >= MAX_GATHERED) return;
      const { network, now } = visit;
      gathered.set(JSON.stringify([...table.row(visit), table.kind?.(visit), network, dayOf(now)]), visit);
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
    close: flush,
  };
}

/** Forgets what tells the visitors of earlier days apart. */
export function forgetSalts(day: number): Statement {
  return { sql: "DELETE FROM search_salts WHERE day < $1", params: [day] };
}

/** Whether enough networks visited a row for others to be shown what they did. */
export function isByMany({ networks }: SqlRow): boolean {
  return bitsIn(Number(networks)) >= shownFromNetworks;
}

/** About how many networks visited a row (linear counting: Whang et al., 1990); infinite where all bits are set, by some 200 or more. */
export function networksOf({ networks }: SqlRow): number {
  return -NETWORK_BITS * Math.log(1 - bitsIn(Number(networks)) / NETWORK_BITS);
}

/** SQL of a column of a row as it was when the day of its last visit began, for the row that a visit changes: as another day begins, what
 *  the last one left is settled.
 *  @param day SQL of the visit's day */
export function settle(table: string, column: string, day: string): string {
  return `settled_${column} = CASE WHEN ${table}.last_day < ${day} THEN ${table}.${column} ELSE ${table}.settled_${column} END`;
}

/** SQL of a column as it was when the day `$1` began. What is shown changes as a day begins alone, so that nobody can see when the last
 *  visit came that it took. */
export function settled(column: string): string {
  return `CASE WHEN last_day < $1 THEN ${column} ELSE settled_${column} END AS ${column}`;
}

/** Days since 1970. @param now milliseconds */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** @returns the day's salt: `candidate`, or that of the node that was first */
async function beginDay(database: Database, day: number, candidate: string): Promise<string> {
  const rows = await database.write([
    forgetSalts(day),
    {
      sql: `INSERT INTO search_salts (day, salt) VALUES ($1, $2)
        ON CONFLICT (day) DO UPDATE SET salt = search_salts.salt RETURNING salt`,
      params: [day, candidate],
    },
  ]);
  return String(rows[1]?.[0]?.salt);
}

/** How many bits are set. @param number whole, below 2^53 */
export function bitsIn(number: number): number {
  let bits = 0;
  for (let rest = number; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}

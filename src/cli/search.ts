import { resolve } from "node:path";
import { createLog } from "../observability/log.ts";
import { documentTypes } from "../predictive-search/documents.ts";
import { entriesOf, type SearchContext, searchQuery } from "../predictive-search/predictive-search.ts";
import type { Explanation, Hit } from "../search/search-index.ts";
import { openSnapshots } from "../snapshot.ts";
import { readArguments, wrongUsage } from "./arguments.ts";
import type { Io } from "./commands.ts";
import { openStore } from "./store-database.ts";
import { system } from "./system.ts";

const usage = `Usage: vitrine search [--store DIR] [--locale L] <words…> [--explain] [--json]

Searches the store as a shopper who types these words; the last one may be unfinished.
  --store DIR   the store's folder (where you stand, unless told)
  --locale L    the language searched (the store's own, unless told)
  --explain     why each result ranks where it does
  --json        one JSON object for each result`;

/** Results shown. */
const LIMIT = 10;

interface Result {
  readonly kind: string;
  readonly handle: string;
  readonly title: string;
  readonly score: number;
  readonly explanation?: Explanation;
}

/** `vitrine search`: exit code 1 where nothing was found. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const options = {
    store: { type: "string" },
    locale: { type: "string" },
    explain: { type: "boolean" },
    json: { type: "boolean" },
  } as const;
  const given = readArguments(args, options, usage, io);
  if (typeof given === "number") return given;
  const words = given.positionals.join(" ").trim();
  if (words === "") return wrongUsage("name the words to search.", usage, io);
  const storeDir = resolve(io.cwd, String(given.values.store ?? "."));
  const { config, database, source } = await openStore(storeDir, io.env.DATABASE_URL);
  try {
    const known = [config.locales.default, ...config.locales.others];
    const locale = String(given.values.locale ?? config.locales.default);
    if (!known.includes(locale))
      return wrongUsage(`the store has no language "${locale}" (it has ${known.join(", ")}).`, usage, io);
    const log = createLog("warn");
    const snapshots = await openSnapshots({
      source,
      database,
      config,
      log,
      now: system.now,
    });
    const { catalog, index } = snapshots.current();
    const at = { catalog, index, locale, now: system.now(), typoTolerance: config.search.typoTolerance };
    const results = search(words, at, given.values.explain === true);
    await snapshots.close();
    if (given.values.json === true) for (const result of results) io.stdout.write(`${JSON.stringify(result)}\n`);
    else io.stdout.write(results.map(describe).join(""));
    if (results.length === 0) io.stderr.write("Nothing was found.\n");
    return results.length === 0 ? 1 : 0;
  } finally {
    await database.close();
  }
}

/** The best results of each kind. */
function search(words: string, at: SearchContext, explain: boolean): readonly Result[] {
  const types = Object.keys(documentTypes) as (keyof typeof documentTypes)[];
  const query = searchQuery({ q: words, types, limit: LIMIT, unavailableProducts: "last" }, at);
  const hits: readonly Hit[] = [...at.index.search(query).values()].flat();
  return hits.flatMap((hit) => {
    const explanation = explain ? at.index.explain(query, hit.number) : undefined;
    return entriesOf([hit], at).map(({ kind, handle, title }) => {
      return { kind, handle, title, score: hit.score, ...(explanation === undefined ? {} : { explanation }) };
    });
  });
}

function describe({ kind, handle, title, score, explanation }: Result): string {
  const parts = explanation?.parts.map((part) => `  ${part.score.toFixed(2).padStart(10)}  ${part.reason}\n`) ?? [];
  return `${score.toFixed(2).padStart(10)}  ${title}  (${kind} ${handle})\n${parts.join("")}`;
}

// Measures the relevance of results, for judged queries, absent products, queries of other shops, words with one edit,
// and real misspellings.
//   VITRINE_DATA=… node packages/search/bench/relevance.ts [--only vitrine,lucene] [--tables judged,misspelt] [--sets fashion,demo-en]
//     [--catalogue icecat-19k] [--save before.json] [--against before.json] [--no-typing]
//     [--queries] [--misses] [--record]
// --save stores Vitrine's figures by query, and --against compares
// with stored figures. --no-typing skips the queries typed letter by letter. --queries prints each judged query with
// its nDCG@10. --misses prints queries without the intended product. --record adds rows to results.md.
import { parseArgs } from "node:util";
import { isCatalogueName } from "../../../bench/catalogs.ts";
import { type Cells, recordRows } from "../../../bench/results.ts";
import { absentHeading, absentRows } from "./relevance/absent-table.ts";
import { judgedHeading, judgedRows } from "./relevance/judged-table.ts";
import { listsHeading, listsRows } from "./relevance/lists-table.ts";
import { misspeltCatalogues, misspeltHeading, misspeltRows } from "./relevance/misspelt-table.ts";
import { judgedSets } from "./relevance/sets.ts";
import { engineNames, engineTitles, explainMissing, judgedEngines, typingEngines } from "./run-engine.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    tables: { type: "string", default: "judged,absent,lists,misspelt" },
    sets: { type: "string", default: judgedSets.map(({ name }) => name).join() },
    catalogue: { type: "string", default: misspeltCatalogues.join() },
    save: { type: "string" },
    against: { type: "string" },
    "no-typing": { type: "boolean", default: false },
    queries: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
const selectedEngines = engineNames.filter((name) => options.only?.split(",").includes(name) ?? true);
for (const name of selectedEngines) {
  const missingReason = explainMissing(name);
  if (missingReason !== undefined) process.stdout.write(`${engineTitles[name]} is left out: ${missingReason}\n`);
}

const engines = options.only === undefined ? judgedEngines : selectedEngines;

/** Result tables by name, each with a heading and the function that creates the rows. */
const tables: Readonly<Record<string, readonly [string, () => Promise<readonly Cells[]>]>> = {
  judged: [
    judgedHeading,
    () => {
      const selectedSets = options.sets.split(",");
      const unknownSets = selectedSets.filter((name) => !judgedSets.some((set) => set.name === name));
      if (unknownSets.length > 0) throw new Error(`no set ${unknownSets}: ${judgedSets.map(({ name }) => name)}`);
      return judgedRows(
        judgedSets.filter(({ name }) => selectedSets.includes(name)),
        {
          engines,
          isTyped: !options["no-typing"],
          printsQueries: options.queries,
          ...(options.save === undefined ? {} : { saveTo: options.save }),
          ...(options.against === undefined ? {} : { against: options.against }),
        },
      );
    },
  ],
  absent: [absentHeading, () => absentRows(engines, options.queries)],
  lists: [listsHeading, () => listsRows(engines, options.queries)],
  misspelt: [
    misspeltHeading,
    () =>
      misspeltRows(
        options.catalogue.split(",").map((name) => {
          if (!isCatalogueName(name)) throw new Error(`no catalogue ${name}: ${misspeltCatalogues.join(", ")}`);
          return name;
        }),
        options.only === undefined ? typingEngines : selectedEngines,
        options,
      ),
  ],
};

for (const name of options.tables.split(",")) {
  const [heading, makeRows] = tables[name] ?? [];
  if (heading === undefined || makeRows === undefined)
    throw new Error(`no table ${name}: ${Object.keys(tables).join(", ")}`);
  const rows = await makeRows();
  if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { withHistory, withRows } from "./results.ts";

const results = `# Results

## a.ts: keyed

<!-- key: engine -->

| date | commit | engine | ms |
| --- | --- | --- | --- |
| d1 | c1 | ours | 2 |
| d1 | c1 | peer | 9 |

## b.ts: plain

| date | commit | ms |
| --- | --- | --- |
| d1 | c1 | 5 |
`;

test("a new row replaces the row with its key, which moves to the history", () => {
  const { text, history } = withRows(results, "## a.ts", [["d2", "c2", "ours", "1"]]);
  assert.equal(
    text,
    results.replace(/\| d1 \| c1 \| ours.*\n(.*)\n/, (_, peer) => `${peer}\n| d2 | c2 | ours | 1 |\n`),
  );
  assert.deepEqual(history, [
    "## a.ts: keyed",
    "| date | commit | engine | ms |",
    "| --- | --- | --- | --- |",
    "| d1 | c1 | ours | 2 |",
  ]);
});

test("without a key, all older rows move", () => {
  const { text, history } = withRows(results, "## b.ts", [["d2", "c2", "4"]]);
  assert.equal(text, results.replace("| d1 | c1 | 5 |", "| d2 | c2 | 4 |"));
  assert.equal(history.at(-1), "| d1 | c1 | 5 |");
  assert.throws(() => withRows(results, "## c.ts", []), /no heading "## c.ts"/);
});

test("moved rows follow the older ones of their heading", () => {
  const movedRows = ["## b.ts: plain", "| date |", "| --- |", "| d2 |"];
  const history = withHistory("# History of b\n", movedRows);
  assert.equal(history, "# History of b\n\n## b.ts: plain\n\n| date |\n| --- |\n| d2 |\n");
  const otherHistory = `${history}\n## other\n\n| x |\n`;
  assert.equal(
    withHistory(otherHistory, [...movedRows.slice(0, 3), "| d3 |"]),
    otherHistory.replace("| d2 |", "| d2 |\n| d3 |"),
  );
});

test("every key of the results is a column of its table", () => {
  const files = ["results.md", "../packages/search/bench/results.md", "../packages/liquid/bench/results.md"];
  const text = files.map((file) => readFileSync(new URL(file, import.meta.url), "utf8")).join("\n");
  for (const [, key = "", head = ""] of text.matchAll(/^<!-- key: (.*) -->$[^|]*^\| (.*) \|$/gm))
    for (const column of key.split("; ")) assert.ok(head.split(" | ").includes(column), column);
});

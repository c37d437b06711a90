import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";
import { createApp } from "../../src/app.ts";
import { send } from "../support/client.ts";
import { parsePrometheus } from "../support/prometheus-text.ts";
import { makeStore } from "../support/shop.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const alertsFile = join(root, "deploy/prometheus-alerts.yaml");

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

const { groups } = parse(await readFile(alertsFile, "utf8")) as Rules;
const alerts = groups.flatMap(({ rules }) => rules);
const { panels } = JSON.parse(await readFile(join(root, "deploy/grafana-dashboard.json"), "utf8")) as {
  readonly panels: readonly Panel[];
};
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ place: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: title, expr }))),
];
const metrics = await readFile(join(root, "docs/reference/metrics.md"), "utf8");
/** Labels that Prometheus adds, and the one that it renames. */
const targetLabels = ["job", "instance", "le", "exported_job"];

/** Returns the names of the metrics in an expression, and of the labels of each. */
function readSelectors(expr: string): readonly { readonly name: string; readonly labels: readonly string[] }[] {
  return [...expr.matchAll(/\b(?<name>(?:vitrine|nodejs|process)_\w+)(?:\{(?<matchers>[^}]*)\})?/g)].map(
    ({ groups }) => ({
      name: String(groups?.name),
      labels: [...String(groups?.matchers ?? "").matchAll(/(\w+)\s*(?:=~|!~|!=|=)"/g)].map(([, label]) =>
        String(label),
      ),
    }),
  );
}

/** Labels of each metric in the reference, by name. Runtime metrics have none that the files use. */
const documentedLabels = new Map(
  [...metrics.matchAll(/^\| (`vitrine_[^|]*) \| ([^|]*) \|/gm)].flatMap(([, names = "", labels = ""]) =>
    words(names).map((name) => [name, words(labels)] as const),
  ),
);

function words(cell: string): readonly string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => String(word));
}

test("alerts and dashboard use metrics that a server exposes, with their labels", async () => {
  const storeDir = await makeStore({ hasTheme: false });
  const app = await createApp({ storeDir, hasMetrics: true, logLevel: "silent" });
  const address = await app.listenForScrapes("127.0.0.1", 0);
  const { text } = await send(new URL(address).origin, "GET", "/metrics");
  await app.close();
  await rm(storeDir, { recursive: true });
  const exposed = [...parsePrometheus(text).keys(), "vitrine_database_connections"];
  assert.equal(expressions.length, alerts.length + panels.flatMap(({ targets }) => targets).length);
  for (const { place, expr } of expressions)
    for (const { name, labels } of readSelectors(expr)) {
      const metric = exposed.includes(name) ? name : name.replace(/_(?:bucket|sum|count)$/, "");
      assert.ok(exposed.includes(metric), `${place}: no metric ${name}`);
      const known = [...(documentedLabels.get(metric) ?? []), ...targetLabels];
      for (const label of labels) assert.ok(known.includes(label), `${place}: ${name} has no label ${label}`);
    }
});

test("the panels of the dashboard have different ids and do not overlap", () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { gridPos: a, title } of panels) {
    assert.ok(a.x + a.w <= 24, title);
    for (const { gridPos: b, title: other } of panels)
      assert.ok(
        title === other || a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h,
        `${title} covers ${other}`,
      );
  }
});

test("Prometheus accepts the rules and the dashboard's queries, and the alerts fire as they should", async (context) => {
  const run = promisify(execFile);
  const hasPromtool = await run("promtool", ["--version"]).then(
    () => true,
    () => false,
  );
  if (!hasPromtool) return context.skip("needs the command promtool");
  await run("promtool", ["check", "rules", alertsFile]);
  await run("promtool", ["test", "rules", join(root, "test/fixtures/prometheus/alerts-test.yaml")]);
  const scratch = await mkdtemp(join(tmpdir(), "vitrine-promtool-"));
  const rules = panels.flatMap(({ id, targets }) =>
    targets.map(({ expr }, index) => ({
      record: `panel:${id}:${index}`,
      expr: expr.replaceAll("$__rate_interval", "5m"),
    })),
  );
  // JSON is valid YAML.
  await writeFile(join(scratch, "queries.yaml"), JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
  await run("promtool", ["check", "rules", join(scratch, "queries.yaml")]);
  await rm(scratch, { recursive: true });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse, parseAllDocuments } from "yaml";
import { runCommand } from "../support/command.ts";
import { makeStore } from "../support/shop.ts";

/** A field of a manifest, which may be missing. */
type Field = Readonly<Record<string, unknown>> | undefined;
type Manifest = NonNullable<Field>;

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const chart = join(root, "deploy/chart");
const helm = process.env.VITRINE_HELM ?? "helm";
const hasHelm = await isInstalled(helm, "version");
const needsHelm = hasHelm ? false : "needs the command helm, or its path in VITRINE_HELM";
const required = ["image.repository=registry.example/shop", "image.tag=1", "existingSecret=shop"];
const optional = [
  "autoscaling.enabled=true",
  "serviceMonitor.enabled=true",
  "serviceMonitor.labels.release=prometheus",
];

function isInstalled(command: string, ...args: readonly string[]): Promise<boolean> {
  return run(command, [...args]).then(
    () => true,
    () => false,
  );
}

async function render(settings: readonly string[]): Promise<string> {
  const options = ["--kube-version", "1.34.0", ...settings.flatMap((one) => ["--set", one])];
  const { stdout } = await run(helm, ["template", "shop", chart, ...options]);
  return stdout;
}

function manifestsOf(text: string): ReadonlyMap<string, Manifest> {
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest | null);
  return new Map(
    manifests.flatMap((manifest) =>
      manifest === null ? [] : [[`${manifest.kind} ${String(at(manifest, "metadata", "name"))}`, manifest] as const],
    ),
  );
}

function at(manifest: Field, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Field)?.[name], manifest);
}

test("the chart has the version of the package", async () => {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const description = parse(await readFile(join(chart, "Chart.yaml"), "utf8")) as Manifest;
  assert.deepEqual([description.version, description.appVersion], [version, version]);
});

test("the chart needs an image and a secret, and renders no option that is off", { skip: needsHelm }, async () => {
  await assert.rejects(render(required.slice(1)), /image.repository is missing/);
  await assert.rejects(render(required.slice(0, 2)), /existingSecret is missing/);
  assert.deepEqual([...manifestsOf(await render(required)).keys()].toSorted(), [
    "Deployment shop",
    "Job shop-migration",
    "PodDisruptionBudget shop",
    "Service shop",
    "Service shop-metrics",
  ]);
});

test("the chart selects its pods, scales by queue delay, and runs without write access", {
  skip: needsHelm,
}, async () => {
  const manifests = manifestsOf(await render([...required, ...optional]));
  const deployment = manifests.get("Deployment shop");
  assert.equal(at(deployment, "spec", "replicas"), undefined, "the autoscaler sets the number of servers");
  const labels = at(deployment, "spec", "template", "metadata", "labels") as Manifest;
  const jobLabels = at(manifests.get("Job shop-migration"), "spec", "template", "metadata", "labels") as Manifest;
  for (const [name, ...path] of [
    ["Deployment shop", "spec", "selector", "matchLabels"],
    ["PodDisruptionBudget shop", "spec", "selector", "matchLabels"],
    ["Service shop", "spec", "selector"],
    ["Service shop-metrics", "spec", "selector"],
  ] as const) {
    const selector = Object.entries(at(manifests.get(name), ...path) as Manifest);
    assert.ok(selector.length > 0 && selector.every(([key, value]) => labels[key] === value), name);
    assert.ok(!selector.every(([key, value]) => jobLabels[key] === value), `${name} ignores the migration`);
  }
  const monitor = at(manifests.get("ServiceMonitor shop"), "spec", "selector", "matchLabels") as Manifest;
  const serviceLabels = at(manifests.get("Service shop-metrics"), "metadata", "labels") as Manifest;
  assert.ok(Object.entries(monitor).every(([key, value]) => serviceLabels[key] === value));
  const metric = at(manifests.get("HorizontalPodAutoscaler shop"), "spec", "metrics", 0, "pods", "metric", "name");
  const guide = await readFile(join(root, "docs/how-to/scaling.md"), "utf8");
  assert.ok(guide.includes(`as: ${String(metric)}`), "the guide defines the metric");
  for (const name of ["Deployment shop", "Job shop-migration"]) {
    const container = at(manifests.get(name), "spec", "template", "spec", "containers", 0) as Manifest;
    assert.equal(at(container, "securityContext", "readOnlyRootFilesystem"), true, name);
    assert.equal(at(manifests.get(name), "spec", "template", "spec", "securityContext", "runAsNonRoot"), true, name);
  }
});

test("Kubernetes accepts the manifests of the chart", { skip: needsHelm }, async (context) => {
  const schemas = process.env.VITRINE_KUBERNETES_SCHEMAS;
  if (schemas === undefined)
    return context.skip(
      "needs the folder of strict schemas from the Python package kubernetes-validate, in VITRINE_KUBERNETES_SCHEMAS",
    );
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
  ajv.addSchema(JSON.parse(await readFile(join(schemas, "_definitions.json"), "utf8")) as Manifest);
  for (const [name, manifest] of manifestsOf(await render([...required, ...optional]))) {
    const [version = "", group = ""] = String(manifest.apiVersion).split("/").reverse();
    const file = [String(manifest.kind), group.replace(/\..*$/, ""), version].filter(Boolean).join("-").toLowerCase();
    // The schema of a ServiceMonitor belongs to the operator of Prometheus.
    const text: string | undefined = await readFile(join(schemas, `${file}.json`), "utf8").catch(() => undefined);
    if (text === undefined) {
      context.diagnostic(`no schema ${file}.json, so ${name} is not compared`);
      continue;
    }
    const schema = JSON.parse(text) as Manifest;
    const validate = ajv.getSchema(String(schema.$id)) ?? ajv.compile(schema);
    assert.ok(validate(manifest), `${name}: ${ajv.errorsText(validate.errors)}`);
    assert.ok(
      !validate({ ...manifest, spec: { ...(manifest.spec as Manifest), unknown: 1 } }),
      "unknown fields are errors",
    );
  }
});

test("the command of the migration job updates the tables of a new and of a current database", async () => {
  const storeDir = await makeStore({});
  after(() => rm(storeDir, { recursive: true }));
  for (const _ of ["new", "current"]) {
    const { code, out, err } = await runCommand({ storeDir, env: {} }, "migrate");
    assert.equal(code, 0, err);
    assert.match(out, /^The tables are at version \d+\.\n$/);
  }
});

import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventTypes } from "../../src/config/event-settings.ts";
import { all, production, read, root } from "./sources.ts";

const documents = ["ARCHITECTURE.md", ...globSync("docs/explanation/**/*.md", { cwd: root })];
/** Names that npm or the operating system define. */
const foreign = new Set(["allowScripts", "SO_REUSEPORT"]);
/** Matches doc comments, and lines that contain only a comment. */
const commentPattern = /\/\*\*[\s\S]*?\*\/|^ *\/\/.*$/gm;
const folders = ["", "src", "packages/search", "packages/search/src"];

test("every file that an explanation names exists", () => {
  const unknownNames = documents.flatMap((document) =>
    spansOf(document)
      .filter((span) => /^[\w./-]+\.(?:ts|js|json|yaml|sql)$/.test(span) && !/^(?:vitrine\.js|\.ts)$/.test(span))
      .filter((span) => !folders.some((folder) => existsSync(join(root, folder, span))) && !endsAPath(span))
      .map((span) => `${document}: ${span}`),
  );
  assert.deepEqual(unknownNames, []);
});

test("every constant, type, and function that an explanation names exists in the code", () => {
  const code = all.map(read).join("\n");
  const words = new Set(code.match(/[A-Za-z_]\w*/g));
  const unknownNames = documents.flatMap((document) =>
    spansOf(document)
      .map((span) => /^(?:[a-z]+\.)*([A-Za-z]\w*)(?:\(.*\))?$/.exec(span)?.[1] ?? "")
      .filter((name) => /[a-z][A-Z]|^[A-Z]+_[A-Z_]+$/.test(name) && !words.has(name) && !foreign.has(name))
      .map((name) => `${document}: ${name}`),
  );
  assert.deepEqual(unknownNames, []);
});

test("every constant, type, and function that a comment names in backquotes exists in the code", () => {
  const texts = all.map((file) => ({ file, text: read(file) }));
  const words = new Set(texts.flatMap(({ text }) => text.replaceAll(commentPattern, "").match(/[A-Za-z_]\w*/g) ?? []));
  const unknownNames = texts.flatMap(({ file, text }) =>
    (text.match(commentPattern) ?? [])
      .flatMap((comment) => [...comment.matchAll(/`(?:\w+\.)*(\w+)(?:\(.*?\))?`/g)])
      .map(([, name = ""]) => name)
      .filter((name) => /[a-z][A-Z]/.test(name) && !words.has(name) && !["WebSocket", "EventSource"].includes(name))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(unknownNames, []);
});

test("every @param of a comment is a parameter of the function below it", () => {
  const unknownNames = all.flatMap((file) => {
    const text = read(file);
    return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap((comment) => {
      const parameters = readParameters(text.slice(comment.index + comment[0].length));
      return Array.from(comment[0].matchAll(/@param ([\w.]+)/g), ([, path = ""]) => path.split(".").slice(-1)[0] ?? "")
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(parameters))
        .map((name) => `${file}: ${name}`);
    });
  });
  assert.deepEqual(unknownNames, []);
});

/** Returns the text between the first parenthesis and the one that closes it. */
function readParameters(text: string): string {
  const start = text.indexOf("(");
  let depth = 0;
  for (let end = start; end < text.length; end += 1) {
    if (text[end] === "(") depth += 1;
    if (text[end] === ")") depth -= 1;
    if (depth === 0) return text.slice(start, end);
  }
  return text;
}

test("ARCHITECTURE.md shows the stages of the pipeline in their order", () => {
  const comments = [...read("src/http/pipeline.ts").matchAll(/\/\*\*([\s\S]*?)\*\/|\/\/(.*)/g)].map(
    ([, block, line]) => block ?? line ?? "",
  );
  const stages = comments
    .flatMap((comment) => [...comment.matchAll(/\b(\d) ([a-z ]+)\b/g)])
    .sort(([, one], [, other]) => Number(one) - Number(other))
    .map(([, , name = ""]) => name);
  assert.ok(stages.length >= 7, `stages: ${stages.join(", ")}`);
  const [, flow = ""] = /## How a request flows\n\n```text\n([\s\S]*?)```/.exec(read("ARCHITECTURE.md")) ?? [];
  const [main = ""] = flow.split("\n");
  const positions = stages.map((stage) => (stage === "error response" ? main.length : main.indexOf(stage)));
  assert.ok(flow.includes("error response"));
  assert.ok(!positions.includes(-1), `${stages.join(", ")} in ${main}`);
  assert.deepEqual(
    positions,
    positions.toSorted((one, other) => one - other),
  );
});

test("the server calls the functions that the flow of a request names", () => {
  const [, flow = ""] = /\n## How a request flows\n([\s\S]*?)\n## /.exec(read("ARCHITECTURE.md")) ?? [];
  const names = [...flow.matchAll(/`(?:\w+\.)?([a-z]+[A-Z]\w*)(?:\(|`)/g)].map(([, name = ""]) => name);
  const functions = names.filter((name) => declared.has(name));
  assert.ok(functions.length >= 4, functions.join(", "));
  assert.deepEqual(
    functions.filter((name) => !calls.some((text) => new RegExp(`\\b${name}\\(`).test(text))),
    [],
  );
});

/** Code of the server without declarations. */
const calls = production
  .filter((file) => file.startsWith("src/"))
  .map((file) => read(file).replaceAll(/\bfunction \w+/g, ""));
const declared = new Set(production.flatMap((file) => read(file).match(/(?<=\bfunction )\w+/g) ?? []));

function spansOf(document: string): readonly string[] {
  const text = read(document).replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

/** Tables name some files without their folder. */
function endsAPath(span: string): boolean {
  return all.some((file) => file.endsWith(`/${span}`));
}

test("the reference lists every metric, every event, and every rule of the theme check", () => {
  const code = production.map(read).join("\n");
  const metrics = new Set([...code.matchAll(/\bname: "(vitrine_\w+)"/g)].map(([, name = ""]) => name));
  assert.ok(metrics.size > 0);
  assert.deepEqual(missingIn("docs/reference/metrics.md", metrics), []);
  assert.deepEqual(missingIn("docs/reference/webhooks.md", eventTypes), []);
  const check = production.filter((file) => file.startsWith("src/theme/check/")).map(read);
  const rules = check.flatMap((text) =>
    Array.from(text.matchAll(/"(?:error|warning)",\s*"([a-z-]+)"/g), ([, rule = ""]) => rule),
  );
  assert.ok(rules.length > 0);
  assert.deepEqual(missingIn("docs/reference/theme-guide.md", rules), []);
});

function missingIn(document: string, names: Iterable<string>): readonly string[] {
  const text = read(document);
  return [...names].filter((name) => !text.includes(`\`${name}`));
}

test("decision 5 lists the production dependencies", () => {
  const { dependencies } = JSON.parse(read("package.json")) as { readonly dependencies: Record<string, string> };
  const record = read("docs/explanation/decisions/0005-production-dependencies.md");
  const [, table = ""] = /\n\| package \|[^\n]*\n([\s\S]*?)\n\n/.exec(record) ?? [];
  const listedModules = [...table.matchAll(/^\| (@?[a-z][\w/-]*) \|/gm)].map(([, name = ""]) => name);
  const used = Object.keys(dependencies).filter((name) => !name.startsWith("@vitrine/"));
  assert.deepEqual(listedModules.sort(), used.sort());
});

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { references } from "../../scripts/reference.ts";
import { commands } from "../../src/cli/commands.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const documents = globSync(["*.md", "docs/**/*.md", "examples/**/*.md", "bench/README.md", "packages/*/*.md"], {
  cwd: root,
  exclude: (name) => basename(String(name)) === "node_modules",
}).map((file) => file.replaceAll("\\", "/"));
const texts = new Map(documents.map((file) => [file, readFileSync(join(root, file), "utf8")]));

test("the reference of settings, commands, error codes, Liquid, and malformed files equals the output of npm run reference", async () => {
  for (const [file, text] of await references())
    assert.equal(readFileSync(file, "utf8"), text, `${relative(root, file)}: npm run reference`);
  const settings = texts.get("docs/reference/configuration.md") ?? "";
  for (const name of ["name", "cart.maxLines", "compat", "compat.script", "menus"])
    assert.match(settings, new RegExp(`^\\| \`${RegExp.escape(name)}\` \\| \\S.+ \\| \\S+.* \\| \\S.+ \\|$`, "m"));
});

test("every link of the documents leads to an existing file and heading", () => {
  const violations = documents.flatMap((file) => {
    const links = [...withoutCode(texts.get(file) ?? "").matchAll(/\]\(([^()\s]+(?:\([^()]*\))?)\)/g)].map(
      ([, to = ""]) => to,
    );
    return links.filter((to) => !/^[a-z]+:/.test(to) && !leadsSomewhere(file, to)).map((to) => `${file}: ${to}`);
  });
  assert.deepEqual(violations, []);
});

test("notes in the documents are of the kinds that the site converts", () => {
  const violations = [...texts].flatMap(([file, text]) =>
    Array.from(text.matchAll(/^ *> ?\[!(?!(?:NOTE|WARNING)\]$).*/gm), ([note]) => `${file}: ${note}`),
  );
  assert.deepEqual(violations, []);
});

function leadsSomewhere(file: string, to: string): boolean {
  const [path = "", anchor] = to.split("#");
  const target = path === "" ? file : join(dirname(file), path).replaceAll("\\", "/");
  if (!existsSync(join(root, target))) return false;
  if (anchor === undefined) return true;
  const text = texts.get(target) ?? readFileSync(join(root, target), "utf8");
  return anchorsOf(text).has(anchor);
}

/** Returns the anchors of headings, as GitHub derives them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchorCounts = new Map<string, number>();
  const headings = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/^#{1,6} +(.+?) *$/gm)];
  return new Set(
    headings.map(([, heading = ""]) => {
      const plainHeading = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
      const slug = plainHeading.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-");
      const count = anchorCounts.get(slug) ?? 0;
      anchorCounts.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

test("README.md or docs/README.md leads to every document", () => {
  const linked = new Set(
    ["README.md", "docs/README.md"].flatMap((file) =>
      [...(texts.get(file) ?? "").matchAll(/\]\(([^)#\s]+)/g)].map(([, to = ""]) => join(dirname(file), to)),
    ),
  );
  const pages = documents.filter(
    (file) => /^docs\/(?!explanation\/decisions\/)[\w/-]+\.md$/.test(file) && file !== "docs/README.md",
  );
  assert.deepEqual(
    pages.filter((file) => !linked.has(file)),
    [],
  );
});

test("README reaches ten tasks of a new user within three clicks", () => {
  const clicks = clicksFrom("README.md");
  const tasks = {
    install: "README.md#install",
    import: "docs/how-to/import-products.md#import-a-file",
    synonym: "docs/how-to/tune-search.md#add-a-synonym",
    price: "docs/how-to/manage-the-catalog.md#change-prices",
    "second language": "docs/tutorials/getting-started.md#add-a-second-language",
    webhook: "docs/reference/webhooks.md#configuration",
    "payment hook": "docs/reference/hooks.md#payment",
    "theme edit": "docs/tutorials/getting-started.md#edit-the-theme",
    deploy: "docs/how-to/deployment.md#run-in-a-container",
    restore: "docs/how-to/deployment.md#restore",
  };
  for (const [task, target] of Object.entries(tasks)) {
    const [file = "", anchor = ""] = target.split("#");
    assert.ok(anchorsOf(texts.get(file) ?? "").has(anchor), `${task}: ${target}`);
    assert.ok((clicks.get(file) ?? Number.POSITIVE_INFINITY) <= 3, `${task}: ${target}`);
  }
});

/** Returns the number of links from `start` to each document. */
function clicksFrom(start: string): ReadonlyMap<string, number> {
  const clicks = new Map([[start, 0]]);
  for (const [file, count] of clicks)
    for (const [, to = ""] of (texts.get(file) ?? "").matchAll(/\]\(([^)#\s]+)/g)) {
      const target = join(dirname(file), to).replaceAll("\\", "/");
      if (texts.has(target) && !clicks.has(target)) clicks.set(target, count + 1);
    }
  return clicks;
}

test("every command in the documents exists, with its options", async () => {
  const usages = new Map(
    await Promise.all([...commands.keys()].map(async (verb) => [verb, await usageOf(verb)] as const)),
  );
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const violations: string[] = [];
  for (const [file, text] of texts) {
    // The changelog may name removed commands.
    if (file === "CHANGELOG.md") continue;
    for (const codeText of codeOf(text)) {
      for (const [, script = ""] of codeText.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g))
        if (scripts[script] === undefined) violations.push(`${file}: npm run ${script}`);
      for (const [whole, verb = "", rest = ""] of codeText.matchAll(
        /(?:^|(?<=[\s(]))(?:npx |npm run -s )?vitrine (?:-- )?([a-z]+)\b([^\n|&;]*)/g,
      )) {
        const usage = usages.get(verb);
        const options = [...rest.matchAll(/(?<=[\s[(])--[a-z-]+/g)].map(([option]) => option);
        if (usage === undefined) violations.push(`${file}: ${whole}`);
        else for (const option of options) if (!usage.includes(option)) violations.push(`${file}: ${whole}: ${option}`);
      }
    }
  }
  assert.deepEqual(violations, []);
});

interface Compose {
  readonly services: Readonly<Record<"shop" | "database", { readonly environment: Readonly<Record<string, string>> }>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

test("compose, the service, and the CI workflow name existing commands, files, and variables", () => {
  const readYaml = (file: string): unknown => parse(readFileSync(join(root, file), "utf8"));
  const { shop, database } = (readYaml("deploy/compose.yaml") as Compose).services;
  const variables = Object.keys(shop.environment);
  const { DATABASE_URL: url = "" } = shop.environment;
  const { POSTGRES_USER: user, POSTGRES_DB: name } = database.environment;
  assert.match(url, new RegExp(`^postgres://${user}:\\$\\{POSTGRES_PASSWORD:\\?.*\\}@database:5432/${name}$`));
  const settingsDocument = texts.get("docs/reference/configuration.md") ?? "";
  assert.deepEqual(
    variables.filter((variable) => !settingsDocument.includes(`\`${variable}\``)),
    [],
  );
  const unit = readFileSync(join(root, "deploy/vitrine.service"), "utf8");
  const [, home = "-"] = /^WorkingDirectory=(.*)$/m.exec(unit) ?? [];
  for (const line of [`ExecStart=${home}/node_modules/.bin/vitrine serve`, `ReadWritePaths=${home}/data`])
    assert.ok(unit.includes(`\n${line}\n`), line);
  const jobs = Object.values((readYaml(".github/workflows/test.yml") as Workflow).jobs);
  const runs = jobs.flatMap(({ steps }) => steps.map(({ run = "" }) => run)).filter((run) => run !== "");
  assert.ok(runs.includes("npm test"));
  for (const [, file = ""] of runs.join("\n").matchAll(/(\S+\.test\.ts)/g))
    assert.ok(existsSync(join(root, file)), file);
});

async function usageOf(verb: string): Promise<string> {
  let codeText = "";
  const stdout = { write: (text: string) => (codeText += text) } as unknown as NodeJS.WritableStream;
  const { run } = (await commands.get(verb)?.load()) ?? assert.fail(verb);
  await run(["--help"], { cwd: ".", stdout, stderr: stdout, env: {}, program: "vitrine" });
  return codeText;
}

/** Returns the text of code blocks and code spans. */
function codeOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```(?!ts|js|text)[^\n]*\n([\s\S]*?)^ *```/gm)].flatMap(([, inside = ""]) =>
    inside.split("\n").map((line) => line.trim()),
  );
  const spans = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, inside = ""]) => inside,
  );
  return [...blocks.filter((line) => /^(?:npx |npm |vitrine )/.test(line)), ...spans];
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```/gm, "").replaceAll(/`[^`\n]+`/g, "`code`");
}

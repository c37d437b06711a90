// Packs the package, installs it in an empty project without a registry, and uses it in Node and in a web page.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import {
  checkFiles,
  checkPrograms,
  checkProgramsInPage,
  checkTypes,
  installPackage,
  openProject,
} from "../../../test/support/package-project.ts";

const project = await installPackage("liquid");

test("the package contains scripts, declarations, and its README, and no source", (t) => checkFiles(t, project));

test("the README's programs print the output that it shows", async () => {
  assert.equal(project.programs.length, 2);
  await checkPrograms(project);
});

test("the types are valid under the strictest compiler settings and without Node types", async () => {
  const consumer = `import {
  Context, createEngine, Drop, type Engine, type Filter, Float, formatDate, type Limits, LiquidError, Meter, NamedArguments, parseDate,
  type RenderOptions, type Tag, type Template, toNumber, toText,
} from "@vitrine/liquid";
import { Lexer, type MarkupToken, markupOf, readExpression, readMarkup } from "@vitrine/liquid/tree";
class User extends Drop {
  field(key: string | number): unknown { return key === "age" ? Float.of(36) : undefined; }
}
const size: Filter = function (value, ...args) {
  this.checkLength(10);
  return toText(value).length + Number(toNumber(args[0])) + (args[1] instanceof NamedArguments ? args[1].size : 0);
};
const box: Tag = (tag, parser) => {
  const { body } = parser.body(tag);
  return { at: tag.begin, isBlank: false, render: (context) => context.write(context.capture(body.render)) };
};
export const engine: Engine = createEngine({ tags: { box }, filters: { size }, isStrict: true });
export const template: Template = engine.parse("{{ user.age }}");
const limits: Partial<Limits> = { output: 10 };
const options: RenderOptions = { limits, meter: new Meter({ steps: 10 }), now: 0, onError: ({ kind }: LiquidError) => kind };
export const text: string = template.render({ user: new User() }, options);
export const context = new Context(template, { globals: {} });
export const date: string = formatDate(parseDate("2026-11-24", undefined, "UTC") ?? 0, "%d %B", "en", "UTC");
const [token] = readMarkup("{{ a }}") as [MarkupToken];
export const expression = readExpression(new Lexer(markupOf(token).text, 0));
// @ts-expect-error a limit that does not exist
template.render({}, { limits: { input: 1 } });
`;
  await checkTypes(project, consumer);
});

test("the README's programs print the same output in a browser page", (t) => checkProgramsInPage(t, project));

test("the example renders what the visitor types in a page, and stops an endless loop", async (t) => {
  const { origin, browser } = await openProject(t, project);
  const page = await browser.newPage();
  await page.goto(`${origin}/index.html`);
  await page.getByText("Canvas shoes: $49.00. Rain coat: $129.00.").waitFor();
  await page.getByLabel("Template").fill("{{ 'Zoë' | base64_encode | base64_decode | url_encode | url_decode }}");
  await page.getByText("Zoë", { exact: true }).waitFor();
  await page
    .getByLabel("Template")
    .fill("{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}");
  await page.getByText("Liquid error (line 1): rendering the template takes more than 100000 steps").waitFor();
});

test("the entry point for the syntax tree lists the tags and outputs of a template", async () => {
  const program = `
    import { Lexer, markupOf, readFilteredValue, readMarkup } from "@vitrine/liquid/tree";
    for (const token of readMarkup("{% if a %}{{ product.title | upcase }}{% endif %}")) {
      if (token.kind === "tag") console.log(token.name);
      else {
        const { text, at } = markupOf(token);
        const { value, filters } = readFilteredValue(new Lexer(text, at));
        console.log(value.name, value.keys[0].name, filters[0].name);
      }
    }`;
  await writeFile(join(project.folder, "tree.js"), program);
  const { stdout } = await promisify(execFile)(process.execPath, ["tree.js"], { cwd: project.folder });
  assert.equal(stdout, "if\nproduct title upcase\nendif\n");
});

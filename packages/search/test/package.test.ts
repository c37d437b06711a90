// The package as it is published: packed, installed in an empty project without a registry, and used in Node and in a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkFiles,
  checkPrograms,
  checkProgramsInPage,
  checkTypes,
  installPackage,
  openProject,
} from "../../../test/support/package-project.ts";

const project = await installPackage("search");

test("the package contains scripts, declarations, and its README, and no source", (t) => checkFiles(t, project));

test("the README's programs print the output that it shows", async () => {
  assert.equal(project.programs.length, 2);
  await checkPrograms(project);
});

test("the types are valid under the strictest compiler settings and without Node types", async () => {
  const consumer = `import {
  type Boosts, createSearcher, createSegmentBuilder, deleteDocuments, type Explanation, type Hit, loadSegment, normalize, convertOtherLayouts,
  type Query, saveSegment, type Schema, type SearchDocument, type Searcher, type SearchIndex, type Segment, type SynonymGroup,
} from "@vitrine/search";
export const schema: Schema = { fields: [{ label: "title", weight: 100, kind: "title" }, { label: "text", weight: 8, kind: "body" }] };
export const searcher: Searcher = createSearcher(schema);
const document: SearchDocument = { externalId: 1, locale: "en", fields: [[0, "a"]] };
const builder = createSegmentBuilder(schema, "en");
builder.add(document);
export const segment: Segment = deleteDocuments(builder.finish(), [1]);
export const loaded: Segment | undefined = loadSegment(saveSegment(segment));
const synonyms: readonly SynonymGroup[] = [["sofa", "couch"]];
const boosts: Boosts = { forQuery: (text) => [{ externalId: text.length, points: 1, reason: "clicks" }] };
export const index: SearchIndex = searcher.open([segment], { synonyms, boosts });
const query: Query = { text: normalize("A"), locale: "en", limits: new Map([[0, 10]]) };
export const hits: readonly Hit[] = index.search(query).get(0) ?? [];
export const why: Explanation | undefined = index.explain(query, 1);
export const typed: readonly string[] = convertOtherLayouts("rain", "ru");
// @ts-expect-error a kind of field that does not exist
createSearcher({ fields: [{ label: "title", weight: 100, kind: "heading" }] });
`;
  await checkTypes(project, consumer);
});

test("the same programs print the same in a page, which has no shared memory", (t) => checkProgramsInPage(t, project));

test("the example builds an index in a page, loads it at the next visit, and searches it", async (t) => {
  const { origin, browser } = await openProject(t, project);
  const page = await (await browser.newContext()).newPage();
  for (const how of ["built", "loaded"]) {
    await page.goto(`${origin}/index.html`);
    await page.getByText(`5 documents, ${how}`).waitFor();
    await page.getByLabel("Search").fill("rian boo");
    await page.getByRole("listitem").filter({ hasText: "Rain boots for children" }).waitFor();
  }
});

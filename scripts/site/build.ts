import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Document, Section } from "./document.ts";
import { documentIndex } from "./document-index.ts";
import { navigationOf } from "./navigation.ts";
import { pageHtml } from "./page.ts";
import { pagePath, rawPath } from "./paths.ts";
import { readDocuments } from "./read-documents.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const assets = fileURLToPath(new URL("assets", import.meta.url));

/**
 * Builds `docs/` and every file to which it links, directly or indirectly.
 * @param folder output folder, which is replaced
 * @returns the number of pages
 * @throws Error that lists links without a target
 */
export function buildSite(folder: string): number {
  const documents = readDocuments(root);
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const navigation = navigationOf(documents);
  for (const [source, document] of documents) {
    write(pagePath(source), pageHtml(source, document, navigation));
    for (const { target, isImage } of document.links)
      if (isImage || isRawFile(target)) write(rawPath(target), readFileSync(join(root, target)));
  }
  cpSync(assets, join(folder, "assets"), { recursive: true });
  const { segment, ...results } = documentIndex(searchedSections(documents));
  write("assets/index.bin", segment);
  write("assets/sections.json", JSON.stringify(results));
  compileEngine(join(folder, "assets/engine"));
  return documents.size;
}

function isRawFile(target: string): boolean {
  return !target.endsWith(".md") && !statSync(join(root, target)).isDirectory();
}

/** Returns the sections for the search index: all except lists of pages and benchmark results. */
function searchedSections(
  documents: ReadonlyMap<string, Document>,
): readonly (Section & { readonly page: string; readonly url: string })[] {
  return [...documents]
    .filter(([source]) => !/(^|\/)bench\/|^docs\/(.*\/)?README\.md$/.test(source))
    .flatMap(([source, { title, sections }]) =>
      sections.map((section) => ({ ...section, page: title, url: `${pagePath(source)}#${section.id}` })),
    );
}

function compileEngine(folder: string): void {
  const script = join(root, "scripts/build.ts");
  const { status } = spawnSync(process.execPath, [script, "search", folder], { stdio: "inherit" });
  if (status !== 0) throw new Error("the search engine does not compile");
  for (const name of globSync("**/*.d.ts", { cwd: folder })) rmSync(join(folder, name));
}

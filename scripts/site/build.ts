import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { type Document, type Link, parseDocument, type Section } from "./document.ts";
import { documentIndex } from "./document-index.ts";
import { navigationOf } from "./navigation.ts";
import { escapeHtml, pageHtml } from "./page.ts";
import { pagePath, rawPath } from "./paths.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const assets = fileURLToPath(new URL("assets", import.meta.url));

/** Builds `docs/` and every file that it links to, also indirectly.
 *  @param folder replaced  @returns the number of pages
 *  @throws Error that lists links without a target: a file or a heading that does not exist */
export function buildSite(folder: string): number {
  const documents = readDocuments();
  const dead = [...documents].flatMap(([source, { links }]) =>
    links.filter((link) => !isTarget(link, documents)).map(({ href }) => `${source}: ${href}`),
  );
  if (dead.length > 0) throw new Error(`links without a target:\n${dead.join("\n")}`);
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

/** Parses the documents, then what they link to.  @returns by path from the root of the repository */
function readDocuments(): ReadonlyMap<string, Document> {
  const documents = new Map<string, Document>();
  const queue = globSync("docs/**/*.md", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .concat("README.md")
    .sort();
  for (const source of queue) {
    if (documents.has(source)) continue;
    const document = readDocument(source);
    documents.set(source, document);
    for (const { target, isImage } of document.links)
      if (!isImage && existsSync(join(root, target))) queue.push(target);
  }
  return documents;
}

function readDocument(source: string): Document {
  const path = join(root, source);
  if (source.endsWith(".md")) return parseDocument(source, readFileSync(path, "utf8"));
  if (statSync(path).isDirectory()) return parseDocument(source, folderText(source));
  const href = escapeHtml(posix.relative(posix.dirname(pagePath(source)), rawPath(source)));
  return {
    title: basename(source),
    html: `<h1>${escapeHtml(basename(source))}</h1>\n<p><a href="${href}" download>Download</a></p>\n<pre tabindex="0"><code>${escapeHtml(readFileSync(path, "utf8"))}</code></pre>\n`,
    sections: [],
    links: [],
  };
}

/** A list of the files of a folder, in Markdown. */
function folderText(source: string): string {
  const names = readdirSync(join(root, source), { withFileTypes: true }).filter((entry) => entry.isFile());
  const items = names.map(({ name }) => `- [${name}](${posix.basename(source)}/${name})`).sort();
  return `# ${posix.basename(source)}\n\n${items.join("\n")}\n`;
}

function isRawFile(target: string): boolean {
  return !target.endsWith(".md") && !statSync(join(root, target)).isDirectory();
}

function isTarget({ target, anchor, isImage }: Link, documents: ReadonlyMap<string, Document>): boolean {
  if (isImage) return existsSync(join(root, target));
  const document = documents.get(target);
  return document !== undefined && (anchor === "" || document.sections.some(({ id }) => id === anchor));
}

/** Sections that visitors search: all but lists of pages and benchmark results. */
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

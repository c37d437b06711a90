import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { escapeHtml } from "../../src/runtime/escape-html.ts";
import { type Document, type Link, parseDocument } from "./document.ts";
import { pagePath, rawPath } from "./paths.ts";

/**
 * Parses `docs/`, `README.md`, and all documents to which they link, directly or indirectly.
 * @param root folder of the repository
 * @returns documents by path from the root
 * @throws Error that lists links to a missing file or heading
 */
export function readDocuments(root: string): ReadonlyMap<string, Document> {
  const documents = new Map<string, Document>();
  const queue = globSync("docs/**/*.md", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .concat("README.md")
    .sort();
  for (const source of queue) {
    if (documents.has(source)) continue;
    const document = readDocument(root, source);
    documents.set(source, document);
    for (const { target, isImage } of document.links)
      if (!isImage && existsSync(join(root, target))) queue.push(target);
  }
  const deadLinks = [...documents].flatMap(([source, { links }]) =>
    links.filter((link) => !isTarget(root, link, documents)).map(({ href }) => `${source}: ${href}`),
  );
  if (deadLinks.length > 0) throw new Error(`links without a target:\n${deadLinks.join("\n")}`);
  return documents;
}

function readDocument(root: string, source: string): Document {
  const path = join(root, source);
  if (source.endsWith(".md")) return parseDocument(source, readFileSync(path, "utf8"));
  if (statSync(path).isDirectory()) return parseDocument(source, folderText(root, source));
  const href = escapeHtml(posix.relative(posix.dirname(pagePath(source)), rawPath(source)));
  return {
    title: basename(source),
    html: `<h1>${escapeHtml(basename(source))}</h1>\n<p><a href="${href}" download>Download</a></p>\n<pre tabindex="0"><code>${escapeHtml(readFileSync(path, "utf8"))}</code></pre>\n`,
    sections: [],
    links: [],
  };
}

/** Returns a Markdown list of the files in a folder. */
function folderText(root: string, source: string): string {
  const names = readdirSync(join(root, source), { withFileTypes: true }).filter((entry) => entry.isFile());
  const items = names.map(({ name }) => `- [${name}](${posix.basename(source)}/${name})`).sort();
  return `# ${posix.basename(source)}\n\n${items.join("\n")}\n`;
}

function isTarget(root: string, { target, anchor, isImage }: Link, documents: ReadonlyMap<string, Document>): boolean {
  if (isImage) return existsSync(join(root, target));
  const document = documents.get(target);
  return document !== undefined && (anchor === "" || document.sections.some(({ id }) => id === anchor));
}

/**
 * Returns the path of the page of a file or folder, from the root of the site. `docs/` becomes the root, and other
 * files are in `project/`.
 * @param source path from the root of the repository
 */
export function pagePath(source: string): string {
  const path = source.startsWith("docs/") ? source.slice("docs/".length) : `project/${source}`;
  if (/(^|\/)README\.md$/.test(path)) return path.replace(/README\.md$/, "index.html");
  return path.endsWith(".md") ? path.replace(/md$/, "html") : `${path}.html`;
}

/** Returns the path of the copy of a file, from the root of the site. */
export function rawPath(source: string): string {
  return `files/${source}`;
}

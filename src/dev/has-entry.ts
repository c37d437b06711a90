import type { Catalog } from "../catalog/catalog.ts";
import type { NamedEntry } from "../theme/check/finding.ts";

/** Whether a shop sells or shows what a theme asks it for. */
export function hasEntry(catalog: Catalog, { kind, handle }: NamedEntry): boolean {
  if (kind === "blog") return catalog.blogs().includes(handle);
  const [blog = "", name = ""] = handle.split("/");
  return (kind === "article" ? catalog.article(blog, name) : catalog[kind](handle)) !== undefined;
}

import type { Catalog } from "../catalog/catalog.ts";
import type { NamedEntry } from "../theme/check/finding.ts";

/** Returns whether a shop has the entry that a theme names. */
export function hasEntry(catalog: Catalog, { kind, handle }: NamedEntry): boolean {
  if (kind === "blog") return catalog.blogs().includes(handle);
  const [blog = "", name = ""] = handle.split("/");
  return (kind === "article" ? catalog.article(blog, name) : catalog[kind](handle)) !== undefined;
}

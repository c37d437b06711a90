import type { Catalog } from "../catalog/catalog.ts";
import type { NamedEntry } from "../theme/check/finding.ts";

/** Returns whether a shop contains an entry that a theme refers to. */
export function hasEntry(catalog: Catalog, { kind, handle }: NamedEntry): boolean {
  if (kind === "blog") return catalog.blogs().includes(handle);
  const [blog = "", name = ""] = handle.split("/");
  return (kind === "article" ? catalog.article(blog, name) : catalog[kind](handle)) !== undefined;
}

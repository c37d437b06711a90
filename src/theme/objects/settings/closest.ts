import type { Globals } from "../../render-state.ts";
import { Lookup } from "../template-object.ts";

/**
 * Creates the `closest` object. `closest.product` is the product of an enclosing block, or else of the page.
 * @param closestObjects objects of enclosing blocks, by name
 */
export function createClosestObject(
  globals: Globals,
  closestObjects: ReadonlyMap<string, unknown> = new Map(),
): Lookup {
  return new Lookup((name) => closestObjects.get(name) ?? (closestKinds.has(name) ? globals.field(name) : undefined));
}

const closestKinds = new Set(["product", "collection", "article", "blog", "page"]);

import type { Globals } from "../../render-state.ts";
import { LookUp } from "../template-object.ts";

/**
 * `closest.product`: passed by an enclosing block, else the page's product.
 * @param around name -> object
 */
export function closestObject(globals: Globals, around: ReadonlyMap<string, unknown> = new Map()): LookUp {
  return new LookUp((name) => around.get(name) ?? (kinds.has(name) ? globals.field(name) : undefined));
}

const kinds = new Set(["product", "collection", "article", "blog", "page"]);

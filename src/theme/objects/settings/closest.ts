import type { Globals } from "../../render-state.ts";
import { Lookup } from "../template-object.ts";

/** `closest.product`: passed by an enclosing block, else the page's product.  @param around name -> object */
export function closestObject(globals: Globals, around: ReadonlyMap<string, unknown> = new Map()): Lookup {
  return new Lookup((name) => around.get(name) ?? (kinds.has(name) ? globals.field(name) : undefined));
}

const kinds = new Set(["product", "collection", "article", "blog", "page"]);

import type { Globals } from "../../render-state.ts";
import { LookUp } from "../template-object.ts";

/** `closest.product`: what a block around this one handed over, else the page's own.
 *  @param around kind -> the thing */
export function closestObject(globals: Globals, around: ReadonlyMap<string, unknown> = new Map()): LookUp {
  return new LookUp((name) => around.get(name) ?? (kinds.has(name) ? globals.field(name) : undefined));
}

const kinds = new Set(["product", "collection", "article", "blog", "page"]);

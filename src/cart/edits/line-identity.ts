import type { Line } from "../cart.ts";

/** Returns the same string for items that share a line: equal variant, parent, and properties in any order. */
export function formatLineIdentity({
  variantId,
  properties,
  parentKey = "",
}: Pick<Line, "variantId" | "properties" | "parentKey">): string {
  const names = Object.keys(properties).sort();
  return JSON.stringify([variantId, parentKey, ...names.flatMap((name) => [name, properties[name]])]);
}

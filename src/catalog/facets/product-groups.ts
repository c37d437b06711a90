import { lowerBound } from "../../runtime/lower-bound.ts";
import { readNumber } from "../packed/rows.ts";
import type { FacetLayers } from "./facet-layers.ts";
import type { ProductGroups } from "./facet-rows.ts";
import { createSharedFloats, createSharedIds } from "./shared-numbers.ts";

/** Packs group keys.  @param rows number of row positions */
export function packGroups(
  groupKeys: readonly (readonly [position: number, key: number])[],
  rows: number,
): ProductGroups {
  const keys = createSharedFloats(groupKeys.length > 0 ? rows : 0);
  for (const [position, key] of groupKeys) keys[position] = key;
  const positions = groupKeys.map(([position]) => position);
  positions.sort((a, b) => (keys[a] as number) - (keys[b] as number));
  return { keys, order: createSharedIds(positions) };
}

/** Returns the key of a product's group; 0 if it has none. */
export function getGroupKey(layers: FacetLayers, number: number): number {
  const location = layers.locate(number);
  return location === undefined ? 0 : (location.layer.rows.groups.keys[location.position] ?? 0);
}

/** Returns the document numbers of the products of a group, in catalog order. */
export function findGroupMembers(layers: FacetLayers, key: number): readonly number[] {
  const numbers: number[] = [];
  for (const layer of layers.allLayers) {
    const { keys, order } = layer.rows.groups;
    const getKeyAt = (index: number): number => keys[order[index] as number] as number;
    for (
      let index = lowerBound(0, order.length, (middleIndex) => getKeyAt(middleIndex) < key);
      getKeyAt(index) === key;
      index += 1
    ) {
      const number = readNumber(layer.packedRows, order[index] as number);
      if (layers.locate(number)?.layer === layer) numbers.push(number);
    }
  }
  return numbers.sort((a, b) => a - b);
}

import type { Row } from "../catalog.ts";
import type { LiveStock } from "../live/live-stock.ts";
import type { PackedRows } from "../packed/rows.ts";
import { availabilityNow } from "./availability.ts";
import { type FacetBase, type FacetDelta, FacetLayers } from "./facet-layers.ts";
import type { Facets } from "./facets.ts";
import { openFacets } from "./open-facets.ts";
import { titleIn } from "./title-ranks.ts";
import { ValueHolders } from "./value-holders.ts";

/** What a catalogue's facets are made of. */
export interface FacetSource {
  readonly base: FacetBase;
  /** The oldest first. */
  readonly deltas: readonly FacetDelta[];
  readonly stock: LiveStock;
  /** Reads a row with what is left of it. */
  read(rows: PackedRows, place: number): Row | undefined;
}

/** The facets of a catalogue. What is found out is kept with the catalogue, and what of it depends on stock until something is sold. */
export function catalogFacets({ base, deltas, stock, read }: FacetSource): Facets {
  const layers = new FacetLayers(base, deltas);
  const layersNow = (): FacetLayers => {
    stock.noteAll();
    for (const layer of layers.all) {
      const product = (place: number) => {
        const row = read(layer.packed, place);
        return row?.kind === "product" ? row : undefined;
      };
      layer.availability = availabilityNow(layer.packed, layer.rows, stock, product);
    }
    return layers;
  };
  const titleOf = (number: number, locale: string): string => {
    const found = layers.locate(number);
    const row = found && read(found.layer.packed, found.place);
    return row?.kind === "product" ? titleIn(row, locale) : "";
  };
  const holders = new ValueHolders(layers);
  return {
    ...openFacets(layersNow, stock.epoch, titleOf),
    values: (facet) => holders.values(facet),
    holding: (facet, values) => holders.holding(facet, values),
  };
}

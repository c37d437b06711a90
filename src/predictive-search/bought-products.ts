import type { Purchases } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import { documentTypes } from "./documents.ts";

/** Buyers of a product beside which it is much bought in a shop that sells little. */
const manyBuyers = 50;

/** What buyers bought, for a search in a snapshot: ids of products become external ids of its documents as the first search asks for them, and products
 *  that are gone or not published are left out. Twice as many buyers are the same step everywhere, as a few products are bought much and most little.
 *  @param bought the heaviest first */
export function boughtProducts(
  bought: readonly { readonly id: string; readonly weight: number }[],
  catalog: Pick<Catalog, "productNumberById">,
): Purchases {
  let strengths: ReadonlyMap<number, number> | undefined;
  const most = Math.log1p(Math.max(manyBuyers, bought[0]?.weight ?? 0));
  const find = (): ReadonlyMap<number, number> =>
    new Map(
      bought.flatMap(({ id, weight }) => {
        const number = catalog.productNumberById(id);
        return number === undefined ? [] : [[number, Math.log1p(weight) / most] as const];
      }),
    );
  return {
    type: documentTypes.product,
    strengthOf(externalId) {
      strengths ??= find();
      return strengths.get(externalId) ?? 0;
    },
  };
}

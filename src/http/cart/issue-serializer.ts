import type { Issue } from "../../cart/cart.ts";
import { getLineImage } from "../../cart/presenters/line.ts";
import { selectSoldOutIssues } from "../../cart/quantity-issues.ts";
import { formatOfferTitle, type OfferedVariant } from "../../catalog/catalog.ts";
import { localizeOffer } from "../../catalog/localize.ts";
import { formatPublicId } from "../../catalog/presenters/presenter.ts";
import { formatVariantPath } from "../../catalog/presenters/variant.ts";
import { isAvailable } from "../../catalog/stock.ts";
import { findSubstitute } from "../../predictive-search/recommendations.ts";
import { createCache } from "../../runtime/cache.ts";
import type { Shop } from "../../shop.ts";
import { issueJson } from "../json/cart-json.ts";
import type { CartView } from "../json/cart-text.ts";
import { toSafeJson } from "../json/inert-json.ts";

/** Maximum number of sold-out variants whose substitutes are cached. */
const MAX_CACHED_SUBSTITUTES = 5_000;
/** Milliseconds after which a substitute is searched again. */
const MAX_AGE_MS = 60_000;

/** Serializes the issues of a cart, with substitutes for the first items that are sold out. */
export interface IssueSerializer {
  /** Returns a JSON array that is safe in HTML. */
  serialize(issues: readonly Issue[], view: CartView, now: number): string;
}

export function createIssueSerializer(shop: Pick<Shop, "snapshot">): IssueSerializer {
  /** Ids of substitute variants by language and sold-out variant; "" if nothing similar is in stock. */
  const substituteIds = createCache<string, string>({
    name: "substitutes",
    maxWeight: MAX_CACHED_SUBSTITUTES,
    maxAgeMs: MAX_AGE_MS,
    isCurrent: (id) => id === "" || findAvailableOffer(id) !== undefined,
  });

  function findAvailableOffer(id: string): OfferedVariant | undefined {
    const offer = shop.snapshot().catalog.variant(id);
    return offer !== undefined && isAvailable(offer.variant) ? offer : undefined;
  }

  const findIssueSubstitute = ({ variantId = "" }: Issue, locale: string, now: number): OfferedVariant | undefined => {
    const { catalog, index } = shop.snapshot();
    const id = substituteIds.getOrCreate(`${locale} ${variantId}`, () => {
      const offer = catalog.variant(variantId);
      return (offer && findSubstitute(offer, { catalog, index, locale, now }))?.variant.id ?? "";
    });
    return id === "" ? undefined : findAvailableOffer(id);
  };

  return {
    serialize(issues, view, now) {
      if (issues.length === 0) return "[]";
      const soldOutIssues = selectSoldOutIssues(issues);
      const records = issues.map((issue) => {
        const substitute = soldOutIssues.has(issue) ? findIssueSubstitute(issue, view.locale, now) : undefined;
        return { ...issueJson(issue), substitute: substitute === undefined ? null : toOfferRecord(substitute, view) };
      });
      return toSafeJson(records);
    },
  };
}

function toOfferRecord(offer: OfferedVariant, { locale, prefix }: CartView): Readonly<Record<string, unknown>> {
  const { product, variant } = offer;
  const view = { ...localizeOffer(offer, locale), prefix };
  return {
    variant_id: formatPublicId(variant.id),
    product_id: formatPublicId(product.id),
    title: formatOfferTitle(view),
    url: formatVariantPath(view),
    image: getLineImage(view)?.src ?? null,
    price: variant.price,
  };
}

import type { Issue } from "../../../cart/cart.ts";
import { issuePresenter } from "../../../cart/presenters/issue.ts";
import type { Offer } from "../../../catalog/catalog.ts";
import { localize } from "../../../catalog/localize.ts";
import { findSubstitute } from "../../../predictive-search/recommendations.ts";
import type { View } from "../../view.ts";
import { createVariantObject } from "../products/variant.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";

interface IssueData extends Issue {
  readonly view: View;
  /** Whether a substitute is searched. */
  readonly hasSubstitute: boolean;
}

/** Maximum number of substitutes of a cart, because finding one takes up to a few milliseconds. */
const MAX_SUBSTITUTES = 5;

/** Creates the `cart_issue` objects of a cart. The first items that are sold out have a substitute. */
export function createIssueObjects(view: View, issues: readonly Issue[]): readonly TemplateObject<IssueData>[] {
  let soldOutCount = 0;
  return issues.map((issue) => {
    const isSoldOut = issue.availableQuantity === 0 && issue.code !== "line_removed";
    if (isSoldOut) soldOutCount += 1;
    return new TemplateObject(issueType, {
      ...issue,
      view,
      hasSubstitute: isSoldOut && soldOutCount <= MAX_SUBSTITUTES,
    });
  });
}

const issueType = createObjectType<IssueData>(
  "cart_issue",
  issuePresenter,
  {
    substitute: ({ view, hasSubstitute, variantId = "" }) => {
      const { catalog } = view.request;
      const offer = hasSubstitute ? catalog.variant(variantId) : undefined;
      const substitute = offer && findSubstituteOffer(view, offer);
      return substitute && createVariantObject(view, substitute.product, substitute.variant);
    },
  },
  { fieldTypes: { substitute: "variant" } },
);

function findSubstituteOffer({ request }: View, soldOutOffer: Offer): Offer | undefined {
  const { catalog, index, locale, now } = request;
  // Only complementary recommendations, which are no substitutes, use what is bought together.
  const substitute = findSubstitute(soldOutOffer, { catalog, index, locale, now, boughtTogether: () => [] });
  if (substitute === undefined) return undefined;
  const product = localize(substitute.product, locale);
  return { product, variant: product.variants.find(({ id }) => id === substitute.variant.id) ?? substitute.variant };
}

import type { Issue } from "../../../cart/cart.ts";
import { issuePresenter } from "../../../cart/presenters/issue.ts";
import { selectSubstitutableIssues } from "../../../cart/quantity-issues.ts";
import type { Offer } from "../../../catalog/catalog.ts";
import { localizeOffer } from "../../../catalog/localize.ts";
import { findSubstitute } from "../../../predictive-search/recommendations.ts";
import type { View } from "../../view.ts";
import { createVariantObject } from "../products/variant.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";

interface IssueData extends Issue {
  readonly view: View;
  /** Whether a substitute is searched. */
  readonly hasSubstitute: boolean;
}

/** Creates the `cart_issue` objects of a cart. The first items that are sold out have a substitute. */
export function createIssueObjects(view: View, issues: readonly Issue[]): readonly TemplateObject<IssueData>[] {
  const substitutableIssues = selectSubstitutableIssues(issues);
  return issues.map(
    (issue) => new TemplateObject(issueType, { ...issue, view, hasSubstitute: substitutableIssues.has(issue) }),
  );
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
  const substitute = findSubstitute(soldOutOffer, { catalog, index, locale, now });
  return substitute && localizeOffer(substitute, locale);
}

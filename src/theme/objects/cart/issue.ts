import type { Issue } from "../../../cart/cart.ts";
import { issuePresenter } from "../../../cart/presenters/issue.ts";
import { selectSoldOutIssues } from "../../../cart/quantity-issues.ts";
import type { OfferedVariant } from "../../../catalog/catalog.ts";
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
  const soldOutIssues = selectSoldOutIssues(issues);
  return issues.map(
    (issue) => new TemplateObject(issueType, { ...issue, view, hasSubstitute: soldOutIssues.has(issue) }),
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

function findSubstituteOffer({ request }: View, soldOutOffer: OfferedVariant): OfferedVariant | undefined {
  const { catalog, index, locale, now } = request;
  const substitute = findSubstitute(soldOutOffer, { catalog, index, locale, now });
  return substitute && localizeOffer(substitute, locale);
}

import { cartPresenter } from "../../cart/presenters/cart.ts";
import { allocationPresenter, discountPresenter, lineDiscountPresenter } from "../../cart/presenters/discount.ts";
import { issuePresenter } from "../../cart/presenters/issue.ts";
import {
  getLineImage,
  type LocalizedLine,
  lineAmountPresenter,
  lineOfferPresenter,
} from "../../cart/presenters/line.ts";
import type { DiscountAllocation, PricedCart } from "../../cart/priced-cart.ts";
import { createSerializer, type Presenter } from "../../catalog/presenters/presenter.ts";
import type { VariantView } from "../../catalog/presenters/variant.ts";
import { quantityRuleJson, serializeImage } from "./product-json.ts";

/**
 * Returns the JSON fields of a cart except its lines. Amounts are in minor units of the shop's currency.
 * @param hasNullNote whether a cart without a note has the field `note: null`, as scripts of Shopify themes expect
 * @see spec 2.3
 */
export function formatCartFields(pricedCart: PricedCart, hasNullNote: boolean): Record<string, unknown> {
  const record = cartRecord(pricedCart);
  const { note } = pricedCart.cart;
  return note === undefined && !hasNullNote ? record : { ...record, note: note ?? null };
}

/** Returns the JSON of a problem with a cart, such as an item that is sold out. */
export const issueJson = createSerializer(issuePresenter);

const toDiscountRecord = createSerializer(discountPresenter);
const lineDiscountJson = createSerializer(lineDiscountPresenter);

const allocationJson = createSerializer<DiscountAllocation>({
  ...allocationPresenter,
  discount_application: (allocation) => toDiscountRecord(allocation),
});

const { note: _, ...presenterWithoutNote } = cartPresenter;
const cartRecord = createSerializer<PricedCart>({
  ...presenterWithoutNote,
  currency: ({ currency }) => ({ iso_code: currency }),
  discount_applications: ({ discountApplications }) => discountApplications.map(toDiscountRecord),
  cart_level_discount_applications: ({ discounts }) => discounts.map(toDiscountRecord),
});

/**
 * Functions that create the JSON fields of a cart line. The fields from `toOfferRecord` depend only on the product
 * variant.
 */
export interface LineRecords {
  readonly toOfferRecord: (variantView: VariantView) => Record<string, unknown>;
  readonly toLineRecord: (lineView: LocalizedLine) => Record<string, unknown>;
}

const offerFields: Presenter<VariantView> = {
  ...lineOfferPresenter,
  image: (offerView) => getLineImage(offerView)?.src,
  featured_image: (offerView) => serializeImage(getLineImage(offerView)),
  quantity_rule: ({ variant }) => quantityRuleJson(variant.quantityRule),
};

const lineSpecificFields: Presenter<LocalizedLine> = {
  ...lineAmountPresenter,
  discounts: ({ line }) => line.discounts.map(lineDiscountJson),
  line_level_discount_allocations: ({ line }) => line.discounts.map(allocationJson),
  cart_level_discount_allocations: ({ line }) => line.cartShares.map(allocationJson),
};

/** Functions that create the JSON fields of a cart line.  @see spec 2.3 */
export const lineRecords: LineRecords = {
  toOfferRecord: createSerializer(offerFields),
  toLineRecord: createSerializer(lineSpecificFields),
};

/**
 * Fields of the most recently added cart line that a cart response contains at its top level, where themes read them.
 * Their names differ from all fields of the cart.
 */
const noticeFields = new Set(
  "key variant_id product_id quantity title product_title variant_title variant_options image featured_image url handle price original_price line_price original_line_price final_price final_line_price sku vendor product_type properties options_with_values product_has_only_default_variant".split(
    " ",
  ),
);

export const noticeRecords: LineRecords = {
  toOfferRecord: createSerializer(selectNoticeFields(offerFields)),
  toLineRecord: createSerializer(selectNoticeFields(lineSpecificFields)),
};

function selectNoticeFields<Subject>(presenter: Presenter<Subject>): Presenter<Subject> {
  return Object.fromEntries(Object.entries(presenter).filter(([name]) => noticeFields.has(name)));
}

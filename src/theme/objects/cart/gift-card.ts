import type { GiftCard } from "../../../pricing/discount.ts";
import { addPathPrefix, type View } from "../../view.ts";
import { createObjectType } from "../template-object.ts";

interface GiftCardData {
  readonly view: View;
  readonly card: GiftCard;
  /** Amount that orders have left. */
  readonly balance: number;
}

/** Amounts are in minor units. */
export const giftCardType = createObjectType<GiftCardData>(
  "gift_card",
  {
    balance: ({ balance }) => balance,
    initial_value: ({ card }) => card.balance,
    code: ({ card }) => card.code,
    last_four_characters: ({ card }) => card.code.slice(-4),
    qr_identifier: ({ card }) => card.code,
    currency: ({ view }) => view.config.currency,
    enabled: () => true,
    expired: () => false,
    url: ({ view, card }) => addPathPrefix(view, `/gift_cards/${encodeURIComponent(card.code)}`),
  },
  {},
  {
    emptyFields: "expires_on customer product properties pass_url recipient message send_on template_suffix",
    identity: ({ card }) => card.id,
  },
);

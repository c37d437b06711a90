// Generated from openapi.yaml by `npm run client-types`.
import type { Id } from "./catalog.ts";
/** An item, or `items`, which takes precedence. */
export type AddRequest = CartItem &
  CodeFields &
  SectionFields & {
    readonly items?: readonly CartItem[];
  };

/** One product. */
export type BuyNowRequest = {
  readonly item: {
    readonly product: {
      readonly variantId: Id;
      /** Default: 1. */
      readonly quantity?: Quantity;
      readonly properties?: Readonly<Record<string, string | number | boolean | null>> | null;
    };
    readonly discountCode?: string | null;
  };
  readonly discountCode?: string | null;
};

/** An item to add. */
export type CartItem = {
  /** The id of the variant; `variantId` and `variant_id` are equivalent. */
  readonly id?: Id;
  readonly variantId?: Id;
  readonly variant_id?: Id;
  /** Default: 1. */
  readonly quantity?: Quantity;
  readonly properties?: Readonly<Record<string, string | number | boolean | null>> | null;
  /** Nests the line under the line of another item of the request: the id of its variant. */
  readonly parent_id?: Id | null;
  /** Nests the line under a line of the cart: its `key`. */
  readonly parent_line_key?: string | null;
};

/** A line, by position or key, with its quantity or properties. */
export type ChangeRequest = SectionFields & {
  /** Position in `items`, from 1. */
  readonly line?: Quantity;
  readonly key?: string;
  readonly cartLineId?: string;
  readonly cart_line_id?: string;
  /** The key of a line, or the id of a variant. */
  readonly id?: Id;
  /** 0 removes the line. */
  readonly quantity?: Quantity;
  /** Replaces the properties of the line. */
  readonly properties?: Readonly<Record<string, string | number | boolean | null>> | null;
};

/** Replaces the codes of the cart; one that does not apply is an issue. */
export type CodeFields = {
  /** Discount codes, separated by commas, or a list. An empty string or null removes them. */
  readonly discount?: string | readonly string[] | null;
  /** Codes of gift cards, as in `discount`. */
  readonly gift_cards?: string | readonly string[] | null;
};

/** An integer, or its decimal digits as a string, also with the decimal places `.0`. */
export type Quantity = number | string;

/** Sections to render with the response, at most five. */
export type SectionFields = {
  /** Section ids: a list, or separated by commas. */
  readonly sections?: string | readonly string[] | null;
  readonly section_ids?: string | readonly string[] | null;
  readonly section_id?: string | null;
  /** A path of this store, the context of the sections. */
  readonly sections_url?: string | null;
};

/** Quantities, the note, or codes. */
export type UpdateRequest = CodeFields &
  SectionFields & {
    /** Quantities by line key or variant id, or a quantity for each line. */
    readonly updates?: Readonly<Record<string, Quantity>> | readonly Quantity[];
    /** An empty string or null removes it. */
    readonly note?: string | null;
    /** Not stored: the issue `attributes_not_kept` names them. */
    readonly attributes?: {
      readonly [field: string]: unknown;
    };
  };

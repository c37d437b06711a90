// Made from openapi.yaml by `npm run client-types`: change it there.
import type { Id } from "./catalogue.ts";
/** An item, or `items`, which wins. */
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
      /** 1 unless told. */
      readonly quantity?: Quantity;
      readonly properties?: Readonly<Record<string, string | number | boolean>> | null;
    };
    readonly discountCode?: string | null;
  };
  readonly discountCode?: string | null;
};

/** What is added. */
export type CartItem = {
  /** Of the variant; `variantId` and `variant_id` stand for it. */
  readonly id?: Id;
  readonly variantId?: Id;
  readonly variant_id?: Id;
  /** 1 unless told. */
  readonly quantity?: Quantity;
  readonly properties?: Readonly<Record<string, string | number | boolean>> | null;
};

/** A line, by its place or its key, and its quantity or properties. */
export type ChangeRequest = SectionFields & {
  /** From 1, in `items`. */
  readonly line?: Quantity;
  readonly key?: string;
  readonly cartLineId?: string;
  readonly cart_line_id?: string;
  /** A line's key, or a variant's id. */
  readonly id?: Id;
  /** 0 removes the line. */
  readonly quantity?: Quantity;
  /** In the place of the line's. */
  readonly properties?: Readonly<Record<string, string | number | boolean>> | null;
};

/** Sets the cart's codes; one that does not apply is an issue. */
export type CodeFields = {
  /** Discount codes, separated by commas, or a list; an empty text or null takes them off. */
  readonly discount?: string | readonly string[] | null;
  /** Codes of gift cards, likewise. */
  readonly gift_cards?: string | readonly string[] | null;
};

/** A whole number, or its decimal digits as text. */
export type Quantity = number | string;

/** Sections to render with the answer; the first five count. */
export type SectionFields = {
  /** Section ids: a list, or separated by commas. */
  readonly sections?: string | readonly string[];
  readonly section_ids?: string | readonly string[];
  readonly section_id?: string;
  /** A path of this store, whose page's context the sections render in. */
  readonly sections_url?: string;
};

/** Quantities, the note, or codes. */
export type UpdateRequest = CodeFields &
  SectionFields & {
    /** Line key or variant id -> quantity, or a quantity for each line. */
    readonly updates?: Readonly<Record<string, Quantity>> | readonly Quantity[];
    /** Empty or null takes it off. */
    readonly note?: string | null;
    /** Not stored: the issue `attributes_not_kept` names them. */
    readonly attributes?: {
      readonly [field: string]: unknown;
    };
  };

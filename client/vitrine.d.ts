/** Vitrine's client for theme authors: the cart, and suggestions while a shopper types. Served with every store at `/vitrine/vitrine.js`. */

/** Why a call failed. */
export declare class VitrineError extends Error {
  constructor(status: number, answer?: Partial<Refusal>);
  /** The HTTP status; 0: no answer came, though it was tried several times. */
  readonly status: number;
  /** The shop's own code ("out_of_stock", "validation_failed" …), "network", or "unexpected". */
  readonly code: string;
  /** All that the shop answered: `fields`, `issues`, and on a refusal for stock the unchanged `cart` and the `sections`. */
  readonly answer: Partial<Refusal>;
}

export interface Refusal {
  readonly error: string;
  readonly status: number;
  /** A sentence for the shopper. */
  readonly message: string;
  readonly description: string;
  readonly fields: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
  readonly issues: readonly Issue[];
  readonly cart: CartObject;
  readonly sections: Sections;
}

/** Section id -> its HTML in the wrapper `<div id="store-section-<id>">`; null: it failed. */
export type Sections = Readonly<Record<string, string | null>>;

/** What stock, a rule or a code has changed. */
export interface Issue {
  readonly code:
    | "inventory_cap"
    | "quantity_rule"
    | "line_removed"
    | "price_changed"
    | "price_unknown"
    | "discount_not_applicable"
    | "gift_card_not_applicable";
  readonly message: string;
  readonly field: string | null;
  readonly key: string | null;
  readonly variant_id: number | string | null;
  readonly requested_quantity: number | null;
  readonly quantity: number | null;
  readonly available_quantity: number | null;
}

/** The cart as the shop answers it. Amounts are whole numbers in the currency's minor unit. */
export interface CartObject {
  readonly id: string | null;
  readonly item_count: number;
  readonly line_count: number;
  readonly items: readonly CartLine[];
  readonly note?: string;
  readonly requires_shipping: boolean;
  readonly currency: { readonly iso_code: string };
  readonly items_subtotal_price_cents: number;
  readonly total_discount_cents: number;
  readonly total_price_cents: number;
  readonly amount_due_cents: number;
  /** Counts the cart's changes; for `ifMatch`. */
  readonly revision: number;
  readonly discount_codes: readonly { readonly code: string; readonly applicable: boolean }[];
  readonly issues?: readonly Issue[];
  /** Where sections were asked for. */
  readonly sections?: Sections;
  readonly [field: string]: unknown;
}

export interface CartLine {
  /** Stays the same for as long as the line lives. */
  readonly key: string;
  readonly variant_id: number | string;
  readonly product_id: number | string;
  readonly product_title: string;
  readonly variant_title: string | null;
  readonly title: string;
  readonly url: string;
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>> | null;
  readonly final_price: number;
  readonly final_line_price: number;
  readonly [field: string]: unknown;
}

export interface Item {
  /** A variant's id. */
  readonly id: number | string;
  /** 1 unless told. */
  readonly quantity?: number | string;
  readonly properties?: Readonly<Record<string, string>>;
}

export interface ShowOptions {
  /** Sections to render along; `cart.sections` unless told. The first five count. */
  readonly sections?: readonly string[] | (() => readonly string[]);
  /** The path in whose context they render; the page's own unless told. */
  readonly sectionsUrl?: string;
}

export interface WriteOptions extends ShowOptions {
  /** The revision the cart must still have; else the write is refused with `cart_changed`. */
  readonly ifMatch?: number;
}

export interface Changes {
  /** Line key or variant id -> quantity, or quantities in the order of the lines. */
  readonly updates?: Readonly<Record<string, number | string>> | readonly (number | string)[];
  /** "" takes it off. */
  readonly note?: string | null;
  /** Codes, comma-separated; "" takes them off. */
  readonly discount?: string;
  /** The same for gift cards. */
  readonly gift_cards?: string;
}

/** The detail of `cart:changed`. */
export interface CartChanged {
  readonly cart: CartObject;
  readonly sections: Sections;
  /** "refresh": the change was made elsewhere: in another tab, on another device, by the shop, or while this page was away. */
  readonly source: "write" | "refresh";
  /** Writes that are still to be answered: where there are some, a newer cart is on its way. */
  readonly pending: number;
}

/** The detail of `cart:error`. */
export interface CartFailed {
  readonly error: VitrineError;
  readonly pending: number;
}

interface CartEvents {
  readonly "cart:changed": CustomEvent<CartChanged>;
  readonly "cart:error": CustomEvent<CartFailed>;
}

export interface CartSettings {
  /** The shop's root with its locale, as `routes.root_url`: "/" or "/fr". Unless told: what `content_for_header` says in
   *  `<meta name="vitrine-root">`, else "/". */
  readonly root?: string;
  /** In place of the browser's own. */
  readonly fetch?: typeof fetch;
  /** Waits before a request is sent again, in milliseconds: as many tries more. 300 and 1200 unless told. */
  readonly pauses?: readonly number[];
}

/** The visitor's cart. Writes go out one after the other, each with an `Idempotency-Key`; where no answer comes, or a 429, 502, 503 or
 *  504, the same write is sent again, and the shop applies it once. A stale CSRF token is renewed once.
 *  While somebody listens to `cart:changed`, the cart is read again when the page comes back from the browser's cache and when
 *  another tab has changed it. Every method rejects with a VitrineError. */
export declare class Cart extends EventTarget {
  constructor(settings?: CartSettings);
  /** Sections that show the cart: rendered with every write, read and refresh. None unless told. */
  sections: readonly string[] | (() => readonly string[]);
  /** Writes that are not answered yet. */
  readonly pending: number;
  get(options?: ShowOptions): Promise<CartObject>;
  /** What the cart says to products that were suggested, at most 20: by their ids, those that there are. */
  hints(products: readonly (number | string)[]): Promise<
    readonly {
      readonly id: number | string;
      readonly in_cart: number;
      /** One more of it, at its lowest price, and delivery costs nothing wherever the shop sends to. */
      readonly reaches_free_delivery: boolean;
    }[]
  >;
  /** Reads the cart and tells it by `cart:changed`. */
  refresh(): Promise<CartObject>;
  /** From now on the cart is shown: while the page is looked at and the cart holds something, a stream tells of changes that other devices make, and of prices and
   *  stock, and the cart is read again (`cart:changed`, source "refresh"). Where the shop has no stream to spare, it is read when the page is looked
   *  at again. Streams are dear: call it where lines are shown, and what it returns once they are not.
   *  @returns ends it */
  live(): () => void;
  /** A variant's id, an item, several of them, or the `FormData` of a product form (id, quantity, properties[…]). All or nothing. */
  add(
    items: Item | number | string | readonly (Item | number | string)[] | FormData,
    options?: WriteOptions,
  ): Promise<CartObject>;
  /** A line's key, or `{ line: 1 }` for its place; 0 removes it. */
  change(
    line: string | { readonly key: string } | { readonly line: number },
    quantity: number | string,
    options?: WriteOptions,
  ): Promise<CartObject>;
  update(changes: Changes, options?: WriteOptions): Promise<CartObject>;
  clear(options?: WriteOptions): Promise<CartObject>;
  /** A checkout of one product alone, by an item or the `FormData` of a product form; the cart stays as it is. */
  buyNow(product: (Item & { readonly discountCode?: string }) | FormData): Promise<{ readonly checkout_url: string }>;
  addEventListener<Type extends keyof CartEvents>(
    type: Type,
    listener: (event: CartEvents[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

type ResourceType = "query" | "product" | "collection" | "page" | "article" | "bundle";

export interface SuggestOptions {
  /** A section that is rendered with the answer: then the answer is its HTML. */
  readonly section?: string;
  readonly types?: readonly ResourceType[];
  /** 1 to 10. */
  readonly limit?: number;
  readonly limitScope?: "all" | "each";
  readonly unavailable?: "last" | "show" | "hide";
  readonly fields?: readonly string[];
}

export interface SuggestSettings extends SuggestOptions, Omit<CartSettings, "pauses"> {
  /** How long typing must rest before the shop is asked, in milliseconds: 120 unless told. */
  readonly debounce?: number;
  /** Answers that are kept: 30, for 60,000 ms, unless told. */
  readonly keep?: number;
  readonly keepFor?: number;
}

/** What `/search/suggest.json` answers. */
export interface Suggestions {
  readonly queries: readonly { readonly text: string; readonly styled_text: string; readonly url: string }[];
  readonly products: readonly Readonly<Record<string, unknown>>[];
  readonly collections: readonly Readonly<Record<string, unknown>>[];
  readonly pages: readonly Readonly<Record<string, unknown>>[];
  readonly articles: readonly Readonly<Record<string, unknown>>[];
  readonly bundles: readonly Readonly<Record<string, unknown>>[];
}

type Answer<Options> = Options extends { readonly section: string } ? string : Suggestions;

export interface Suggest<Always extends SuggestOptions = SuggestOptions> {
  /** Asks for suggestions. Each call makes the ones before it worthless: an older answer never comes after a newer one.
   *  @returns the answer; null: nothing was typed; undefined: overtaken by a newer call or cancelled
   *  @throws VitrineError where the shop refuses or cannot be reached: show nothing */
  <Options extends SuggestOptions = Always>(
    typed: string,
    options?: Options,
  ): Promise<Answer<Always & Options> | null | undefined>;
  /** An answer that is known already. */
  cached<Options extends SuggestOptions = Always>(
    typed: string,
    options?: Options,
  ): Answer<Always & Options> | undefined;
  /** Makes what is under way worthless. */
  cancel(): void;
}

/** A search field's own suggestions: each field needs one, so that fields do not overtake one another. */
export declare function createSuggest<Settings extends SuggestSettings = SuggestSettings>(
  settings?: Settings,
): Suggest<Settings>;

/** The page's cart. */
export declare const cart: Cart;
/** For a page's only search field. */
export declare const suggest: Suggest;

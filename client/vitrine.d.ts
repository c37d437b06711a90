/** Vitrine's client for theme authors: the cart, and suggestions while a shopper types. Served with every store at `/vitrine/vitrine.js`. */

/** Error of a failed call. */
export declare class VitrineError extends Error {
  constructor(status: number, answer?: Partial<ErrorBody>);
  /** The HTTP status; 0 if no response arrived after several attempts. */
  readonly status: number;
  /** The server's error code ("out_of_stock", "validation_failed" …), "network", or "unexpected". */
  readonly code: string;
  /** Body of the response: `fields`, `issues`, and, if the stock is insufficient, the unchanged `cart` and the `sections`. */
  readonly answer: Partial<ErrorBody>;
}

export interface ErrorBody {
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

/** HTML of each section by section id, in the wrapper `<div id="store-section-<id>">`; null if the section failed. */
export type Sections = Readonly<Record<string, string | null>>;

/** A notice about the cart, such as a quantity reduced by stock or by a rule, or a code that does not apply. */
export interface Issue {
  readonly code:
    | "inventory_cap"
    | "quantity_rule"
    | "line_removed"
    | "price_changed"
    | "price_unknown"
    | "attributes_not_kept"
    | "fields_not_kept"
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

/** The cart as the shop returns it. Amounts are whole numbers in the currency's minor unit. */
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
  /** Number of changes of the cart so far. See `ifMatch`. */
  readonly revision: number;
  readonly discount_codes: readonly { readonly code: string; readonly applicable: boolean }[];
  readonly issues?: readonly Issue[];
  /** Present if sections were requested. */
  readonly sections?: Sections;
  readonly [field: string]: unknown;
}

export interface CartLine {
  /** Permanent id of the line. */
  readonly key: string;
  readonly variant_id: number | string;
  readonly product_id: number | string;
  readonly product_title: string;
  readonly variant_title: string | null;
  readonly title: string;
  readonly url: string;
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>> | null;
  /** Parent of a nested line, which is removed with it. */
  readonly parent_relationship: { readonly parent_key: string } | null;
  readonly final_price: number;
  readonly final_line_price: number;
  readonly [field: string]: unknown;
}

export interface Item {
  /** A variant's id. */
  readonly id: number | string;
  /** Default: 1. */
  readonly quantity?: number | string;
  readonly properties?: Readonly<Record<string, string>>;
  /** Parent of a nested line: the variant of another item in the same call. */
  readonly parent_id?: number | string;
  /** Parent of a nested line: the key of a line of the cart. */
  readonly parent_line_key?: string;
}

export interface ShowOptions {
  /** Sections to render with the write; default: `cart.sections`. At most five. */
  readonly sections?: readonly string[] | (() => readonly string[]);
  /** Path of the context page; default: the current page. */
  readonly sectionsUrl?: string;
}

export interface WriteOptions extends ShowOptions {
  /** Expected revision of the cart. If the cart has another revision, the write is rejected with `cart_changed`. */
  readonly ifMatch?: number;
}

export interface Changes {
  /** Quantities by line key or variant id, or a list of quantities in the order of the lines. */
  readonly updates?: Readonly<Record<string, number | string>> | readonly (number | string)[];
  /** New note. "" deletes the note. */
  readonly note?: string | null;
  /** Discount codes, comma-separated. "" removes all codes. */
  readonly discount?: string;
  /** Gift card codes, comma-separated. "" removes all codes. */
  readonly gift_cards?: string;
}

/** The detail of `cart:changed`. */
export interface CartChanged {
  readonly cart: CartObject;
  readonly sections: Sections;
  /**
   * "write": a write of this page. "refresh": a change in another tab, on another device, by the shop, or while this
   * page was hidden.
   */
  readonly source: "write" | "refresh";
  /** Number of writes in flight: if it is not 0, a newer cart follows. */
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
  /**
   * The shop's root with its locale, as `routes.root_url`: "/" or "/fr". Default: `<meta name="vitrine-root">` from
   * `content_for_header`, else "/".
   */
  readonly root?: string;
  /** Default: the browser's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Delays in milliseconds before each retry. Default: 300 and 1200. */
  readonly pauses?: readonly number[];
}

/**
 * The visitor's cart. Writes are sent in sequence, each with an `Idempotency-Key`; without a response, or after 429,
 * 502, 503 or 504, the same write is sent again, and the shop applies it once. A stale CSRF token is renewed once.
 * While there is a listener for `cart:changed`, the cart is read again when the page returns from the back-forward
 * cache and when another tab has changed it. Every method rejects with a VitrineError.
 */
export declare class Cart extends EventTarget {
  constructor(settings?: CartSettings);
  /** Sections that show the cart: rendered with every write, read and refresh. Default: empty. */
  sections: readonly string[] | (() => readonly string[]);
  /** Number of writes without a response so far. */
  readonly pending: number;
  get(options?: ShowOptions): Promise<CartObject>;
  /**
   * Returns, for at most 20 suggested products, the quantity in the cart and the effect on shipping. Unknown products
   * are omitted.
   */
  hints(products: readonly (number | string)[]): Promise<
    readonly {
      readonly id: number | string;
      readonly in_cart: number;
      /**
       * Whether one more unit, at the product's lowest price, qualifies the cart for free shipping to every
       * destination.
       */
      readonly reaches_free_delivery: boolean;
    }[]
  >;
  /** Reads the cart and dispatches `cart:changed`. */
  refresh(): Promise<CartObject>;
  /**
   * Starts live updates: while the page is visible and the cart has items, a stream reports changes by other devices,
   * and of prices and stock, and the cart is read again (`cart:changed`, source "refresh"). If the shop has no free
   * stream, the cart is read when the page becomes visible. Streams are limited: keep one open only while cart lines
   * are shown.
   * @returns a function that stops the updates
   */
  live(): () => void;
  /**
   * Adds a variant by id, one or several items, or the `FormData` of a product form (id, quantity, properties[…]). Adds
   * all items or none.
   */
  add(
    items: Item | number | string | readonly (Item | number | string)[] | FormData,
    options?: WriteOptions,
  ): Promise<CartObject>;
  /** Changes a line, given by its key or by its position (`{ line: 1 }`). Quantity 0 removes the line. */
  change(
    line: string | { readonly key: string } | { readonly line: number },
    quantity: number | string,
    options?: WriteOptions,
  ): Promise<CartObject>;
  update(changes: Changes, options?: WriteOptions): Promise<CartObject>;
  clear(options?: WriteOptions): Promise<CartObject>;
  /**
   * Starts a checkout of one product, given as an item or as the `FormData` of a product form. The cart does not
   * change.
   */
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
  /** Id of a section that renders the suggestions. The response is then the HTML of the section. */
  readonly section?: string;
  readonly types?: readonly ResourceType[];
  /** Maximum number of suggestions, 1 to 10. */
  readonly limit?: number;
  readonly limitScope?: "all" | "each";
  readonly unavailable?: "last" | "show" | "hide";
  readonly fields?: readonly string[];
}

export interface SuggestSettings extends SuggestOptions, Omit<CartSettings, "pauses"> {
  /** Milliseconds to wait after the last keystroke before a request is sent. Default: 120. */
  readonly debounce?: number;
  /** Number of cached responses, and their maximum age in milliseconds. Default: 30 and 60,000. */
  readonly keep?: number;
  readonly keepFor?: number;
}

/** Response of `/search/suggest.json`. */
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
  /**
   * Requests suggestions. Each call cancels earlier ones: an older response never arrives after a newer one.
   * @returns the response; null if nothing was typed; undefined if cancelled by a newer call
   * @throws VitrineError if the shop rejects the request or is unreachable. A theme should then show no suggestions
   */
  <Options extends SuggestOptions = Always>(
    typed: string,
    options?: Options,
  ): Promise<Answer<Always & Options> | null | undefined>;
  /** Returns a cached response without sending a request; undefined if there is none. */
  cached<Options extends SuggestOptions = Always>(
    typed: string,
    options?: Options,
  ): Answer<Always & Options> | undefined;
  /** Cancels requests in flight. */
  cancel(): void;
}

/**
 * Creates a function that requests suggestions for one search field. Each field needs its own function, because a new
 * request cancels the earlier requests of the same function.
 */
export declare function createSuggest<Settings extends SuggestSettings = SuggestSettings>(
  settings?: Settings,
): Suggest<Settings>;

/** The page's cart. */
export declare const cart: Cart;
/** Requests suggestions for the only search field of a page. */
export declare const suggest: Suggest;

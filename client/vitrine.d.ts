/** Vitrine's client for theme authors: the cart, and suggestions while a shopper types. Served with every store at `/vitrine/vitrine.js`. */

import type {
  Cart as CartFields,
  CartItem,
  Issue,
  Problem,
  Sections,
  SuggestResults,
  UpdateRequest,
} from "@vitrine/client";

export type {
  CartItem as Item,
  Issue,
  LineItem as CartLine,
  Sections,
  SuggestResults as Suggestions,
} from "@vitrine/client";

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

/** Body of an error response. */
export type ErrorBody = Problem & {
  readonly issues: readonly Issue[];
  readonly cart: CartObject;
  readonly sections: Sections;
};

/** The cart as the shop returns it. Amounts are whole numbers in the currency's minor unit. */
export type CartObject = CartFields & {
  readonly issues?: readonly Issue[];
  /** Present if sections were requested. */
  readonly sections?: Sections;
};

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

/** Changes of quantities, by line key or variant id or in the order of the lines, of the note, or of the codes. */
export type Changes = Pick<UpdateRequest, "updates" | "note" | "discount" | "gift_cards">;

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
    items: CartItem | number | string | readonly (CartItem | number | string)[] | FormData,
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
  buyNow(
    product: (CartItem & { readonly discountCode?: string }) | FormData,
  ): Promise<{ readonly checkout_url: string }>;
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

type Answer<Options> = Options extends { readonly section: string } ? string : SuggestResults;

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

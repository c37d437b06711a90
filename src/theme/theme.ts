import type { SearchIndex } from "@vitrine/search";
import type { PricedCart } from "../cart/priced-cart.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Comments } from "../catalog/content.ts";
import type { Customer } from "../catalog/customer.ts";
import type { Product } from "../catalog/product.ts";
import type { PredictiveSearchResult } from "../predictive-search/predictive-search.ts";
import type { SearchRules } from "../predictive-search/rules/search-rules.ts";
import type { GiftCard } from "../pricing/discount.ts";
import type { Lane } from "../runtime/scheduler.ts";
import type { CustomerOrderPages, OrderForm, OrderPage } from "./checkout-pages.ts";
import type { FacetNames } from "./facet-names.ts";
import type { AssetFile } from "./files/asset-files.ts";
import type { InlineCode } from "./files/inline-code.ts";

/** Input of a render. */
export interface RenderRequest {
  readonly locale: string;
  /** Path and query of the context page without locale prefix: "/products/tote?variant=7". */
  readonly target: string;
  /** Path and query of the page that requests a section. The sections that its template places are available on any page. */
  readonly requestedFrom?: string;
  /** Origin of the shop: "https://shop.example". */
  readonly origin: string;
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  /**
   * Returns the cart. Called at most once per render, and only if the templates name the cart. The caller may cache the
   * result. A promise is awaited only while it is pending.
   */
  readonly cart: () => PricedCart | Promise<PricedCart>;
  readonly customer?: Customer;
  /** CSRF token that `content_for_header` prints in the page's head. */
  readonly csrfToken?: string;
  readonly predictiveSearch?: PredictiveSearchResult;
  /** The merchant's rules for searches. */
  readonly searchRules: SearchRules;
  /** Recommendations for the product in `target`, only for `/recommendations/products`. */
  readonly recommendations?: { readonly intent: string; readonly products: readonly Product[] };
  /** Cart of the checkout page. */
  readonly checkout?: PricedCart;
  /** Gift card of a gift card page. */
  readonly giftCard?: GiftCard;
  /** Comments of the page's article. If undefined, comments are not shown. */
  readonly comments?: Comments;
  /** The form that was submitted from this page and rejected. */
  readonly invalidForm?: InvalidForm;
  /** Form of the checkout page. */
  readonly orderForm?: OrderForm;
  /** Order of an order page. */
  readonly order?: OrderPage;
  /**
   * Returns the customer's orders, or undefined if no customer is signed in. Called only if a template can name the
   * orders.
   */
  readonly customerOrders?: () => Promise<CustomerOrderPages | undefined>;
  /**
   * Lane in which the render waits for time slices. Default: "render". A render for a write uses the write's lane,
   * which delays the next writes.
   */
  readonly lane?: Lane;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** A form that was submitted and rejected. */
export interface InvalidForm {
  /** Kind in `{% form %}`: "contact", "customer", "new_comment". */
  readonly kind: string;
  /** Submitted values by field name. */
  readonly values: Readonly<Record<string, string>>;
  readonly errors: readonly FieldMessage[];
}

export interface FieldMessage {
  /** Name of the field in the form, or "form" for the entire form. */
  readonly field: string;
  /** Name of the field in the reader's language, or "" for the form. */
  readonly name: string;
  /** The problem in the reader's language. The field's name and the message together form a sentence. */
  readonly message: string;
}

export interface RenderedSection {
  /** HTML of the section with its wrapper `<div id="store-section-<id>">`. */
  readonly html: string;
  /** Whether the section or a file that it renders names the cart or the customer. */
  readonly isPersonal: boolean;
}

export interface RenderedPage {
  readonly status: 200 | 404;
  readonly html: string;
  /** Name of a file in `templates/`, without extension: "product.quick". */
  readonly template: string;
  /** Files in `sections/` of the page's sections, by section id. */
  readonly sections: ReadonlyMap<string, string>;
  /** Number of entries that match all search words, on the search page only. */
  readonly searchTotal?: number;
  /** Content of the shop's texts that a policy has to allow, or undefined. */
  readonly content?: ContentNeeds;
}

/**
 * Sources that a content security policy has to allow for the shop's texts: the hash of their style element
 * ("'sha256-…'") and the origins of players.
 */
export interface ContentNeeds {
  readonly styles: readonly string[];
  readonly frames: readonly string[];
}

/** A loaded theme. Renders use the changed files while the server runs. */
export interface Theme {
  /** Returns the number of changes of the theme's files, which is part of cache keys. */
  revision(): number;
  /**
   * Renders a section.
   * @throws Problem `section_not_found`
   * @throws Error if the section's file cannot be read or exceeds a limit
   */
  renderSection(id: string, request: RenderRequest): Promise<RenderedSection>;
  /** Returns whether `target` names a page. If not, `renderPage` renders the 404 template. */
  hasPage(request: RenderRequest): boolean;
  /** Renders a page with its layout. If `target` names no page, renders the 404 template with status 404. */
  renderPage(request: RenderRequest): Promise<RenderedPage>;
  /** Returns the names of filters in templates. */
  facetNames(locale: string): FacetNames;
  /**
   * Returns a file of `assets/`, or a file generated from the theme's files. Undefined if neither exists.
   * @param version selects between two files of one name: the store theme's, or the default theme's for a fallback page
   */
  assetFile(name: string, version?: string): AssetFile | undefined;
  /** Returns the inline code in the theme's pages that a content security policy has to allow. */
  inline(): InlineCode;
  close(): void;
}

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
  /** Placements of the page that requests a section: the sections that its template places are available on any page. */
  readonly requestedFrom?: string;
  /** "https://shop.example" */
  readonly origin: string;
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  /**
   * Called at most once per render, and only if the templates name the cart; the caller may cache the result. A promise
   * is awaited only while it is pending.
   */
  readonly cart: () => PricedCart | Promise<PricedCart>;
  readonly customer?: Customer;
  /** Printed in the page's head by `content_for_header`. */
  readonly csrfToken?: string;
  readonly predictiveSearch?: PredictiveSearchResult;
  /** The merchant's rules for searches. */
  readonly searchRules: SearchRules;
  /** Recommendations for the product in `target`; only for `/recommendations/products`. */
  readonly recommendations?: { readonly intent: string; readonly products: readonly Product[] };
  /** Cart of the checkout page. */
  readonly checkout?: PricedCart;
  /** Card of a gift card page. */
  readonly giftCard?: GiftCard;
  /** undefined: comments are not shown. */
  readonly comments?: Comments;
  /** The form that was submitted from this page and rejected. */
  readonly invalidForm?: InvalidForm;
  /** Form of the checkout page. */
  readonly orderForm?: OrderForm;
  /** Order of an order page. */
  readonly order?: OrderPage;
  /** Called if a template can name the customer's orders; undefined if no customer is signed in. */
  readonly customerOrders?: () => Promise<CustomerOrderPages | undefined>;
  /**
   * Lane in which the render waits for time slices. Default: "render". A write renders in its lane, which delays the
   * next writes.
   */
  readonly lane?: Lane;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A form that was submitted and rejected. */
export interface InvalidForm {
  /** Kind in `{% form %}`: "contact", "customer", "new_comment". */
  readonly kind: string;
  /** Field -> submitted value. */
  readonly values: Readonly<Record<string, string>>;
  readonly errors: readonly FieldMessage[];
}

export interface FieldMessage {
  /** "form" for the entire form. */
  readonly field: string;
  /** Name of the field in the reader's language; "" for the form. */
  readonly name: string;
  /** The problem in the reader's language; with the name before it, it is a sentence. */
  readonly message: string;
}

export interface RenderedSection {
  /** With its wrapper `<div id="store-section-<id>">`. */
  readonly html: string;
  /** Whether the section or a file that it renders names the cart or the customer. */
  readonly isPersonal: boolean;
}

export interface RenderedPage {
  readonly status: 200 | 404;
  readonly html: string;
  /** A file of `templates/`, without extension: "product.quick". */
  readonly template: string;
  /** Sections in it: id -> name of the file in `sections/`. */
  readonly sections: ReadonlyMap<string, string>;
  /** Number of entries that match all search words; on the search page only. */
  readonly searchTotal?: number;
  /** Content of the shop's texts that a policy has to allow, or undefined. */
  readonly content?: ContentNeeds;
}

/** Policy needs of the shop's texts: hash of their style element ("'sha256-…'") and origins of players. */
export interface ContentNeeds {
  readonly styles: readonly string[];
  readonly frames: readonly string[];
}

/** A loaded theme. A render uses files that changed while the server runs. */
export interface Theme {
  /** Number of changes of the theme's files; part of cache keys. */
  revision(): number;
  /** @throws Problem `section_not_found`  @throws Error if the section's file cannot be read or exceeds a limit */
  renderSection(id: string, request: RenderRequest): Promise<RenderedSection>;
  /** Returns whether `target` names a page; if not, the 404 template is rendered. */
  hasPage(request: RenderRequest): boolean;
  /** A page with its layout; the 404 template with status 404 if `target` names no page. */
  renderPage(request: RenderRequest): Promise<RenderedPage>;
  /** Names of filters in templates. */
  facetNames(locale: string): FacetNames;
  /**
   * A file of `assets/`, or one generated from the theme's files; undefined if it does not exist.
   * @param version selects between two files of one name: the store theme's, or the default theme's for a fallback page
   */
  assetFile(name: string, version?: string): AssetFile | undefined;
  /** Inline code in the theme's pages that a content security policy has to allow. */
  inline(): InlineCode;
  close(): void;
}

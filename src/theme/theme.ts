import type { SearchIndex } from "@vitrine/search";
import type { PricedCart } from "../cart/priced-cart.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Comments } from "../catalog/content.ts";
import type { Customer } from "../catalog/customer.ts";
import type { Product } from "../catalog/product.ts";
import type { PredictiveSearchResult } from "../predictive-search/predictive-search.ts";
import type { SearchRules } from "../predictive-search/rules/search-rules.ts";
import type { SearchContext } from "../predictive-search/search-context.ts";
import type { GiftCard } from "../pricing/discount.ts";
import type { QueueName } from "../runtime/scheduler.ts";
import type { CustomerOrderPages, OrderForm, OrderPage } from "./checkout-pages.ts";
import type { FacetNames } from "./facet-names.ts";
import type { AssetFile } from "./files/asset-files.ts";
import type { InlineCode } from "./files/inline-code.ts";

/** Data from which a page or section is rendered. */
export interface RenderRequest {
  readonly locale: string;
  /** Path and query of the page, without the language prefix: "/products/tote?variant=7". */
  readonly target: string;
  /**
   * Path and query of the page that requests a section. If the page at `target` has no such section, the section is
   * looked up in the template of the requesting page.
   */
  readonly requestingPage?: string;
  /** Origin of the shop: "https://shop.example". */
  readonly origin: string;
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  /**
   * Returns the cart. Called at most once per render, and only if a template reads the cart. The caller may cache the
   * result.
   */
  readonly cart: () => PricedCart | Promise<PricedCart>;
  readonly customer?: Customer;
  /** CSRF token that is added to the page's head. */
  readonly csrfToken?: string;
  readonly predictiveSearch?: PredictiveSearchResult;
  /** The merchant's search rules, such as synonyms. */
  readonly searchRules: SearchRules;
  /** Draft of the search rules that is tested on the search page. */
  readonly testedRules?: SearchContext["testedRules"];
  /** Recommended products for the product in `target`. Only set for `/recommendations/products`. */
  readonly recommendations?: { readonly intent: string; readonly products: readonly Product[] };
  /** Cart of the checkout page. */
  readonly checkout?: PricedCart | undefined;
  /** Gift card of a gift card page, and the amount that orders have left. */
  readonly giftCard?: { readonly card: GiftCard; readonly balance: number } | undefined;
  /** Comments on the page's article. If undefined, comments are not shown. */
  readonly comments?: Comments | undefined;
  /** The form that was sent from this page and rejected. */
  readonly invalidForm?: InvalidForm | undefined;
  /** Form of the checkout page. */
  readonly orderForm?: OrderForm | undefined;
  readonly order?: OrderPage | undefined;
  /**
   * Returns the customer's orders, or undefined if no customer is signed in. Called only if a template can read the
   * orders.
   */
  readonly customerOrders?: () => Promise<CustomerOrderPages | undefined>;
  /**
   * Queue in which the render waits for CPU time. Default: "render". A render that belongs to a cart write waits in the
   * queue for writes.
   */
  readonly lane?: QueueName;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** A form that was submitted and rejected. */
export interface InvalidForm {
  /** Kind of the form, as in `{% form 'contact' %}`: "contact", "customer", "new_comment". */
  readonly kind: string;
  /** Submitted values by field name. */
  readonly values: Readonly<Record<string, string>>;
  readonly errors: readonly FieldMessage[];
}

export interface FieldMessage {
  /** Name of the field in the form, or "form" for the entire form. */
  readonly field: string;
  /** Name of the field in the reader's language, or "" for the entire form. */
  readonly name: string;
  /** Description of the error in the reader's language. It continues the field's name to form a sentence. */
  readonly message: string;
}

export interface RenderedSection {
  /** HTML of the section with its wrapper `<div id="store-section-<id>">`. */
  readonly html: string;
  /** Whether the HTML depends on the cart, the customer, or the requesting page, so that it must not be cached. */
  readonly isPersonal: boolean;
}

export interface RenderedPage {
  readonly status: 200 | 404;
  readonly html: string;
  /** Name of the template: the file name in `templates/` without extension, such as "product.quick". */
  readonly template: string;
  /** Types of the page's sections, by section id. The type of a section is the name of its file in `sections/`. */
  readonly sections: ReadonlyMap<string, string>;
  /** Number of results that match all search words. Only set on the search page. */
  readonly fullMatchCount?: number;
  /** Exceptions to the content security policy that the shop's texts need, or undefined. */
  readonly content?: ContentPolicyExceptions;
}

/**
 * Exceptions to a content security policy that the shop's texts need: the hash of their style element ("'sha256-…'"),
 * and the origins of video players.
 */
export interface ContentPolicyExceptions {
  readonly styles: readonly string[];
  readonly frames: readonly string[];
}

/** A loaded theme. Changed files take effect while the server runs. */
export interface Theme {
  /** Returns the number of times that the theme's files have changed. The number is part of cache keys. */
  revision(): number;
  /**
   * Renders a section.
   * @throws Problem `section_not_found`
   * @throws Error if the section's file cannot be read or exceeds a limit
   */
  renderSection(id: string, request: RenderRequest): Promise<RenderedSection>;
  /** Returns whether a page exists at `target`. If not, `renderPage` renders the 404 template. */
  hasPage(request: RenderRequest): boolean;
  /** Renders a page with its layout. If no page exists at `target`, renders the 404 template with status 404. */
  renderPage(request: RenderRequest): Promise<RenderedPage>;
  /** Returns the names that the theme shows for filters. */
  facetNames(locale: string): FacetNames;
  /**
   * Returns a file of `assets/`, or a file generated from the theme's files. Undefined if neither exists.
   * @param version distinguishes a file of the store's theme from a file of the default theme with the same name
   */
  assetFile(name: string, version?: string): AssetFile | undefined;
  /** Returns the kinds of inline code in the theme's pages. A content security policy has to allow them. */
  getInlineCode(): InlineCode;
}

import type { PricedCart } from "../cart/priced-cart.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Comments } from "../catalog/comment.ts";
import type { Customer } from "../catalog/customer.ts";
import type { Product } from "../catalog/product.ts";
import type { PredictiveSearchResult } from "../predictive-search/predictive-search.ts";
import type { SearchRules } from "../predictive-search/rules/search-rules.ts";
import type { GiftCard } from "../pricing/discount.ts";
import type { Lane } from "../runtime/scheduler.ts";
import type { SearchIndex } from "../search/search-index.ts";
import type { CustomerOrderPages, OrderForm, OrderPage } from "./checkout-pages.ts";
import type { FacetNames } from "./facet-names.ts";
import type { AssetFile } from "./files/asset-files.ts";
import type { InlineCode } from "./files/inline-code.ts";

/** What a render may look at. */
export interface RenderRequest {
  readonly locale: string;
  /** Path and query of the page in whose context is rendered, without locale prefix: "/products/tote?variant=7". */
  readonly target: string;
  /** The same of the page that asks for a section: what its template places is known on any page. */
  readonly askedFrom?: string;
  /** "https://shop.example" */
  readonly origin: string;
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  /** Called at most once a render, only where the templates name the cart; the result may be kept by the caller. Only what is not there yet is
   *  waited for. */
  readonly cart: () => PricedCart | Promise<PricedCart>;
  readonly customer?: Customer;
  /** Goes into the page's head by `content_for_header`. */
  readonly csrfToken?: string;
  readonly predictiveSearch?: PredictiveSearchResult;
  /** The merchant's rules for searches. */
  readonly searchRules: SearchRules;
  /** What goes with the product that `target` names; on `/recommendations/products` alone. */
  readonly recommendations?: { readonly intent: string; readonly products: readonly Product[] };
  /** The cart of the checkout page. */
  readonly checkout?: PricedCart;
  /** The card of a gift card's page. */
  readonly giftCard?: GiftCard;
  /** Absent: none are shown. */
  readonly comments?: Comments;
  /** The form that the shopper sent from this page and that was not taken. */
  readonly refusedForm?: RefusedForm;
  /** What that page asks for. */
  readonly orderForm?: OrderForm;
  /** The order of an order's page. */
  readonly order?: OrderPage;
  /** Asked where a template may name what the customer ordered; absent: nobody is signed in. */
  readonly customerOrders?: () => Promise<CustomerOrderPages | undefined>;
  /** In which it waits for time of the event loop; "render" by default. A write renders in its own lane, which keeps the next writes back. */
  readonly lane?: Lane;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A form that was sent and not taken. */
export interface RefusedForm {
  /** As `{% form %}` names it: "contact", "customer", "new_comment". */
  readonly kind: string;
  /** Field -> what was written. */
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly FormFault[];
}

export interface FormFault {
  /** "form": the form as a whole. */
  readonly field: string;
  /** The field's name in the reader's language; "" for the form. */
  readonly name: string;
  /** What is wrong, in the reader's language; after the name, where there is one, it makes a sentence. */
  readonly message: string;
}

export interface RenderedSection {
  /** With its wrapper `<div id="store-section-<id>">`. */
  readonly html: string;
  /** The section or a file that it renders names the cart or the customer. */
  readonly isPersonal: boolean;
}

export interface RenderedPage {
  readonly status: 200 | 404;
  readonly html: string;
  /** A file of `templates/`, without its ending: "product.quick". */
  readonly template: string;
  /** The sections that stand in it: id -> name of the file in `sections/`. */
  readonly sections: ReadonlyMap<string, string>;
  /** How many entries hold all words of the search; on the search page alone. */
  readonly searchTotal?: number;
  /** What the shop's own texts bring into it; absent: nothing that a policy would have to allow. */
  readonly content?: ContentNeeds;
}

/** What a policy has to allow for texts of the shop: the style element made for them, as "'sha256-…'", and origins of players. */
export interface ContentNeeds {
  readonly styles: readonly string[];
  readonly frames: readonly string[];
}

/** A loaded theme. Files that change while the server runs are seen at the next render. */
export interface Theme {
  /** Counts the changes of the theme's files; part of what answers are kept by. */
  revision(): number;
  /** @throws Problem `section_not_found`; any other error: the section's file cannot be read, or it passed a limit */
  renderSection(id: string, request: RenderRequest): Promise<RenderedSection>;
  /** Whether `target` names a page; else the 404 template is shown. */
  hasPage(request: RenderRequest): boolean;
  /** A whole page with its layout; the 404 template, with status 404, where `target` names nothing. */
  renderPage(request: RenderRequest): Promise<RenderedPage>;
  /** Names of filters, as templates show them. */
  facetNames(locale: string): FacetNames;
  /** A file of `assets/`, or one made of the theme's files; undefined where there is none of that name.
   *  @param version which of two files of one name is meant: the theme's own, or that of our theme for a page which the theme lacks */
  assetFile(name: string, version?: string): AssetFile | undefined;
  /** What the theme's pages hold that a content security policy has to allow. */
  inline(): InlineCode;
  close(): void;
}

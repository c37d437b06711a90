import { isBundleLive } from "../../catalog/bundle.ts";
import { isArticleOut } from "../../catalog/content.ts";
import { localize } from "../../catalog/localize.ts";
import { articleImage } from "../../catalog/presenters/content.ts";
import { featuredImage } from "../../catalog/presenters/product.ts";
import type { CompiledTheme } from "../files/compiled-theme.ts";
import { cartObject } from "../objects/cart/cart.ts";
import { giftCardObject } from "../objects/cart/gift-card.ts";
import { orderObject } from "../objects/cart/order.ts";
import { orderFormObject } from "../objects/cart/order-form.ts";
import { articleObject } from "../objects/content/article.ts";
import { blogObject, blogTitle } from "../objects/content/blog.ts";
import { pageObject } from "../objects/content/page.ts";
import { imageObject } from "../objects/image.ts";
import { collectionByHandle } from "../objects/lookups.ts";
import { bundleObject } from "../objects/products/bundle.ts";
import { productObject } from "../objects/products/product.ts";
import { createSearch, type Search, searchObject } from "../objects/search/search.ts";
import { namedTags, shownList } from "../objects/tags.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { templateSuffix } from "../objects/template-suffix.ts";
import type { RenderRequest } from "../theme.ts";
import { pathSegments, type View } from "../view.ts";
import { findAccountPage } from "./account-pages.ts";
import { type ChosenTemplate, chosenTemplate } from "./chosen-template.ts";
import { summary } from "./summary.ts";

/** Page types, which are also the names of their templates. */
export const pageTypes = [
  "index",
  "product",
  "collection",
  "list-collections",
  "page",
  "blog",
  "article",
  "bundle",
  "search",
  "cart",
  "checkout",
  "gift_card",
  "customers/account",
  "customers/activate_account",
  "customers/addresses",
  "customers/login",
  "customers/order",
  "customers/register",
  "customers/reset_password",
  "order",
  "404",
] as const;

/** Content of a page: its template, and the objects for the template. */
export interface PageContext extends ChosenTemplate {
  readonly type: (typeof pageTypes)[number];
  readonly title: string;
  readonly handle?: string;
  /** Returns a description for search engines and previews, or undefined if there is none. */
  readonly description?: () => string | undefined;
  readonly image?: () => unknown;
  /** Returns the names of the tags that filter the page's list. */
  readonly tags?: () => readonly string[];
  readonly objects: ReadonlyMap<string, () => unknown>;
  /** Search of the search page. */
  readonly search?: Search;
}

/** Finds the page of a request's target. An unknown target has the type "404". */
export function findPageContext(view: View, theme: CompiledTheme): PageContext {
  const page = route(view) ?? notFound(view);
  const suffix = page.suffix ?? templateSuffix(view, view.path);
  return { ...page, ...chosenTemplate(theme, page.type, [view.query.get("view"), suffix]) };
}

interface Found extends Omit<PageContext, keyof ChosenTemplate> {
  /** Suffix of the template's name, see {@link templateSuffix}. */
  readonly suffix?: string | undefined;
}

function route(view: View): Found | undefined {
  const parts = pathSegments(view.path);
  if (parts === undefined) return undefined;
  const [first = "", second, third, fourth, ...more] = parts;
  if (more.length > 0) return undefined;
  switch (first) {
    case "":
      return parts.length === 1 ? homePage(view) : undefined;
    case "products":
      return third === undefined && second !== undefined ? productPage(view, second) : undefined;
    case "collections":
      if (second === undefined) return made("list-collections", titled(view, "collections", "Collections"));
      if (third === undefined) return collectionPage(view, second);
      if (fourth === undefined)
        return (shownList(view)?.tags.length ?? 0) > 0 ? collectionPage(view, second) : undefined;
      return third === "products" ? productPage(view, fourth, second) : undefined;
    case "pages":
      return third === undefined && second !== undefined ? textPage(view, second) : undefined;
    case "blogs":
      if (second === undefined) return undefined;
      if (third === undefined || (third === "tagged" && fourth !== undefined)) return blogPage(view, second);
      return fourth === undefined ? articlePage(view, second, third) : undefined;
    case "bundles":
      return third === undefined && second !== undefined ? bundlePage(view, second) : undefined;
    case "search":
      return second === undefined || (second === "suggest" && third === undefined) ? searchPage(view) : undefined;
    case "cart":
      return second === undefined ? made("cart", titled(view, "cart", "Cart")) : undefined;
    case "recommendations":
      return second === "products" && third === undefined ? recommendationsPage(view) : undefined;
    case "checkout":
      return third === undefined && second !== undefined ? checkoutPage(view) : undefined;
    case "account":
      return accountPage(view, parts.slice(1));
    case "gift_cards":
      return giftCardPage(view);
    case "orders":
      return third === undefined && second !== undefined ? orderPage(view, "order") : undefined;
    default:
      return undefined;
  }
}

function productPage(view: View, handle: string, within?: string): Found | undefined {
  const product = view.request.catalog.product(handle);
  if (product === undefined) return undefined;
  const collection = within === undefined ? undefined : collectionByHandle(view, within);
  if (within !== undefined && collection === undefined) return undefined;
  const shown = localize(product, view.request.locale);
  const page = made("product", shown.seo?.title ?? shown.title, handle, {
    product: () => productObject(view, product),
    product_variant: () => productObject(view, product).field("selected_variant"),
    collection: () => collection,
  });
  return {
    ...page,
    suffix: templateSuffix(view, `/products/${handle}`, product),
    description: () => shown.seo?.description ?? summary(shown.description),
    image: () => imageObject(featuredImage(shown)),
  };
}

/** Finds the page of sections for the product in `?product_id=`. */
function recommendationsPage(view: View): Found {
  const product = view.request.catalog.productById(view.query.get("product_id") ?? "");
  const found = product === undefined ? undefined : productPage(view, product.handle);
  return found ?? made("product", view.config.name);
}

function collectionPage(view: View, handle: string): Found | undefined {
  const collection = collectionByHandle(view, handle);
  if (!(collection instanceof TemplateObject)) return undefined;
  const entry = view.request.catalog.collection(handle);
  const seo = entry === undefined ? undefined : localize(entry, view.request.locale).seo;
  const title = seo?.title ?? String(collection.field("title"));
  return {
    ...made("collection", title, handle, { collection: () => collection }),
    suffix: templateSuffix(view, `/collections/${handle}`, entry),
    ...currentTags(view, ({ catalog }) =>
      entry === undefined ? catalog.numbers("product") : catalog.collectionProducts(handle),
    ),
    description: () => seo?.description ?? summary(String(collection.field("description") ?? "")),
    image: () => collection.field("featured_image"),
  };
}

/** Returns the home page. Its description is the translation "shop.description", else the start of the page "about". */
function homePage(view: View): Found {
  return {
    ...made("index", view.config.name),
    description: () => view.translate("shop.description")?.text ?? textPage(view, "about")?.description?.(),
  };
}

function textPage(view: View, handle: string): Found | undefined {
  const page = view.request.catalog.page(handle);
  if (page === undefined) return undefined;
  const shown = localize(page, view.request.locale);
  return {
    ...made("page", shown.seo?.title ?? shown.title, handle, { page: () => pageObject(view, page) }),
    suffix: templateSuffix(view, `/pages/${handle}`, page),
    description: () => shown.seo?.description ?? summary(shown.content),
  };
}

function blogPage(view: View, handle: string): Found | undefined {
  const blog = blogObject(view, handle);
  if (blog === undefined) return undefined;
  return {
    ...made("blog", blogTitle(view, handle), handle, { blog: () => blog }),
    suffix: templateSuffix(view, `/blogs/${handle}`),
    ...currentTags(view, ({ catalog }) => catalog.numbers("article")),
  };
}

/** Returns the tags that filter the current list.  @param numbers returns the document numbers of the page's list */
function currentTags({ path, request }: View, numbers: (request: RenderRequest) => Uint32Array): Pick<Found, "tags"> {
  const handles = shownList({ path })?.tags ?? [];
  if (handles.length === 0) return {};
  return { tags: () => namedTags(request.catalog, numbers(request), handles, request.locale) };
}

function articlePage(view: View, blog: string, handle: string): Found | undefined {
  const article = view.request.catalog.article(blog, handle);
  if (article === undefined || !isArticleOut(article, view.request.now)) return undefined;
  const shown = localize(article, view.request.locale);
  const page = made("article", shown.seo?.title ?? shown.title, handle, {
    article: () => articleObject(view, article),
    blog: () => blogObject(view, blog),
  });
  return {
    ...page,
    suffix: templateSuffix(view, `/blogs/${blog}/${handle}`, article),
    description: () => shown.seo?.description ?? summary(shown.excerpt === "" ? shown.content : shown.excerpt),
    image: () => imageObject(articleImage(shown)),
  };
}

function bundlePage(view: View, handle: string): Found | undefined {
  const { catalog, locale, now } = view.request;
  const bundle = catalog.bundle(handle);
  if (bundle === undefined || !isBundleLive(bundle, catalog, now)) return undefined;
  const { name, title } = localize(bundle, locale);
  const products = bundle.products.flatMap((one) => {
    const product = catalog.product(one);
    return product === undefined ? [] : [localize(product, locale)];
  });
  return {
    ...made("bundle", title, handle, { bundle: () => bundleObject(view, bundle) }),
    description: () => summary(`${name}: ${products.map((product) => product.title).join(", ")}`),
    image: () => imageObject(products[0] && featuredImage(products[0])),
  };
}

function searchPage(view: View): Found {
  const search = createSearch(view);
  const page = made("search", titled(view, "search", "Search"), undefined, {
    search: () => searchObject(view, search),
  });
  return { ...page, search };
}

function checkoutPage(view: View): Found | undefined {
  const { checkout, orderForm } = view.request;
  if (checkout === undefined) return undefined;
  return made("checkout", titled(view, "checkout", "Checkout"), undefined, {
    checkout: () => cartObject(view, checkout),
    order_form: () => (orderForm === undefined ? undefined : orderFormObject(orderForm)),
  });
}

function accountPage(view: View, parts: readonly string[]): Found | undefined {
  const page = findAccountPage(parts);
  const isShown = view.config.customers.accounts && !(page?.isPrivate && view.request.customer === undefined);
  if (page === undefined || !isShown) return undefined;
  return page.type === "customers/order"
    ? orderPage(view, page.type)
    : made(page.type, titled(view, page.title, page.fallbackTitle));
}

function giftCardPage(view: View): Found | undefined {
  const { giftCard } = view.request;
  if (giftCard === undefined) return undefined;
  return made("gift_card", titled(view, "gift_card", "Gift card"), undefined, {
    gift_card: () => giftCardObject(view, giftCard),
  });
}

function orderPage(view: View, type: PageContext["type"]): Found | undefined {
  const { order } = view.request;
  if (order === undefined) return undefined;
  return made(type, titled(view, "order", "Order"), undefined, { order: () => orderObject(view, order) });
}

function notFound(view: View): Found {
  return made("404", titled(view, "not_found", "Page not found"));
}

function made(
  type: PageContext["type"],
  title: string,
  handle?: string,
  objects: Record<string, () => unknown> = {},
): Found {
  return { type, title, objects: new Map(Object.entries(objects)), ...(handle === undefined ? {} : { handle }) };
}

/** Returns the theme's title of a page without an entry ("page_titles.cart"), or the fallback. */
function titled(view: View, key: string, fallback: string): string {
  return view.translate(`page_titles.${key}`)?.text ?? fallback;
}

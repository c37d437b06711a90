import { isBundleLive } from "../../catalog/bundle.ts";
import { isArticlePublished } from "../../catalog/content.ts";
import { localize } from "../../catalog/localize.ts";
import { getOwnImage } from "../../catalog/presenters/content.ts";
import { getFeaturedImage } from "../../catalog/presenters/product.ts";
import type { CompiledTheme } from "../files/compiled-theme.ts";
import { createCartObject } from "../objects/cart/cart.ts";
import { giftCardType } from "../objects/cart/gift-card.ts";
import { createOrderObject } from "../objects/cart/order.ts";
import { orderFormType } from "../objects/cart/order-form.ts";
import { createArticleObject } from "../objects/content/article.ts";
import { createBlogObject, readBlogTitle } from "../objects/content/blog.ts";
import { createPageObject } from "../objects/content/page.ts";
import { createImageObject } from "../objects/image.ts";
import { findCollection } from "../objects/lookups.ts";
import { createBundleObject } from "../objects/products/bundle.ts";
import { createProductObject } from "../objects/products/product.ts";
import { createSearch, createSearchObject, type Search } from "../objects/search/search.ts";
import { listTagNames, parsePageList } from "../objects/tags.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { readTemplateSuffix } from "../objects/template-suffix.ts";
import type { RenderRequest } from "../theme.ts";
import { decodePathParts, type View } from "../view.ts";
import { findAccountPage } from "./account-pages.ts";
import { selectTemplate, type TemplateSelection } from "./chosen-template.ts";
import { getPageTitle } from "./page-title.ts";
import { findTextFile, type PageType } from "./page-types.ts";
import { summarize } from "./summary.ts";

/** Content of a page: its template, and the objects that the template can read. */
export interface PageContext extends TemplateSelection {
  readonly type: PageType;
  readonly title: string;
  readonly handle?: string;
  /** Returns a description for search engines and link previews, or undefined if there is none. */
  readonly description?: () => string | undefined;
  readonly image?: () => unknown;
  /** Returns the names of the tags that filter the list on the page. */
  readonly tags?: () => readonly string[];
  readonly objects: ReadonlyMap<string, () => unknown>;
  /** Returns the shopper's search. Only set on the search page. */
  readonly search?: () => Search;
}

/** Returns the page for the request's path. An unknown path has the page type "404". */
export function findPageContext(view: View, theme: CompiledTheme): PageContext {
  const page = findPage(view) ?? createPage("404", getPageTitle(view, "not_found"));
  const suffix = page.suffix ?? readTemplateSuffix(view, view.path);
  return { ...page, ...selectTemplate(theme, page.type, [view.query.get("view"), suffix]) };
}

interface PageData extends Omit<PageContext, keyof TemplateSelection> {
  /** Name of the alternative template, see {@link readTemplateSuffix}. */
  readonly suffix?: string | undefined;
}

function findPage(view: View): PageData | undefined {
  const parts = decodePathParts(view.path);
  if (parts === undefined) return undefined;
  const [firstSegment = "", secondSegment, thirdSegment, fourthSegment, ...otherSegments] = parts;
  if (otherSegments.length > 0) return undefined;
  switch (firstSegment) {
    case "":
      return parts.length === 1 ? createHomePage(view) : undefined;
    case "products":
      return thirdSegment === undefined && secondSegment !== undefined
        ? findProductPage(view, secondSegment)
        : undefined;
    case "collections":
      if (secondSegment === undefined) return createPage("list-collections", getPageTitle(view, "collections"));
      if (thirdSegment === undefined) return findCollectionPage(view, secondSegment);
      if (fourthSegment === undefined)
        return (parsePageList(view)?.tags.length ?? 0) > 0 ? findCollectionPage(view, secondSegment) : undefined;
      return thirdSegment === "products" ? findProductPage(view, fourthSegment, secondSegment) : undefined;
    case "pages":
      return thirdSegment === undefined && secondSegment !== undefined ? findTextPage(view, secondSegment) : undefined;
    case "blogs":
      if (secondSegment === undefined) return undefined;
      if (thirdSegment === undefined || (thirdSegment === "tagged" && fourthSegment !== undefined))
        return findBlogPage(view, secondSegment);
      return fourthSegment === undefined ? findArticlePage(view, secondSegment, thirdSegment) : undefined;
    case "bundles":
      return thirdSegment === undefined && secondSegment !== undefined
        ? findBundlePage(view, secondSegment)
        : undefined;
    case "search":
      return secondSegment === undefined || (secondSegment === "suggest" && thirdSegment === undefined)
        ? createSearchPage(view)
        : undefined;
    case "cart":
      return secondSegment === undefined ? createPage("cart", getPageTitle(view, "cart")) : undefined;
    case "recommendations":
      return secondSegment === "products" && thirdSegment === undefined ? createRecommendationsPage(view) : undefined;
    case "checkout":
      return thirdSegment === undefined && secondSegment !== undefined ? findCheckoutPage(view) : undefined;
    case "account":
      return createAccountPage(view, parts.slice(1));
    case "gift_cards":
      return findGiftCardPage(view);
    case "orders":
      return thirdSegment === undefined && secondSegment !== undefined ? findOrderPage(view, "order") : undefined;
    default: {
      const file = secondSegment === undefined ? findTextFile(view.theme, firstSegment) : undefined;
      return file && createPage(file, view.config.name);
    }
  }
}

function findProductPage(view: View, handle: string, collectionHandle?: string): PageData | undefined {
  const product = view.request.catalog.product(handle);
  if (product === undefined) return undefined;
  const collection = collectionHandle === undefined ? undefined : findCollection(view, collectionHandle);
  if (collectionHandle !== undefined && collection === undefined) return undefined;
  const localizedProduct = localize(product, view.request.locale);
  const page = createPage("product", localizedProduct.seo?.title ?? localizedProduct.title, handle, {
    product: () => createProductObject(view, product),
    product_variant: () => createProductObject(view, product).field("selected_variant"),
    collection: () => collection,
  });
  return {
    ...page,
    suffix: readTemplateSuffix(view, `/products/${handle}`, product),
    description: () => localizedProduct.seo?.description ?? summarize(localizedProduct.description),
    image: () => createImageObject(getFeaturedImage(localizedProduct)),
  };
}

/** Creates the page on which sections with recommendations are rendered, for the product in `?product_id=`. */
function createRecommendationsPage(view: View): PageData {
  const product = view.request.catalog.productById(view.query.get("product_id") ?? "");
  const page = product === undefined ? undefined : findProductPage(view, product.handle);
  return page ?? createPage("product", view.config.name);
}

function findCollectionPage(view: View, handle: string): PageData | undefined {
  const collection = findCollection(view, handle, parsePageList(view)?.tags);
  if (!(collection instanceof TemplateObject)) return undefined;
  const entry = view.request.catalog.collection(handle);
  const seo = entry === undefined ? undefined : localize(entry, view.request.locale).seo;
  const title = seo?.title ?? String(collection.field("title"));
  return {
    ...createPage("collection", title, handle, {
      collection: () => collection,
      products: () => collection.field("products"),
    }),
    suffix: readTemplateSuffix(view, `/collections/${handle}`, entry),
    ...listTags(view, ({ catalog }) =>
      entry === undefined ? catalog.numbers("product") : catalog.collectionProducts(handle),
    ),
    description: () => seo?.description ?? summarize(String(collection.field("description") ?? "")),
    image: () => collection.field("featured_image"),
  };
}

/**
 * Creates the home page. Its description is the translation "shop.description", or else the start of the page "about".
 */
function createHomePage(view: View): PageData {
  return {
    ...createPage("index", view.config.name),
    description: () => view.translate("shop.description")?.text ?? findTextPage(view, "about")?.description?.(),
  };
}

function findTextPage(view: View, handle: string): PageData | undefined {
  const page = view.request.catalog.page(handle);
  if (page === undefined) return undefined;
  const localizedPage = localize(page, view.request.locale);
  return {
    ...createPage("page", localizedPage.seo?.title ?? localizedPage.title, handle, {
      page: () => createPageObject(view, page),
    }),
    suffix: readTemplateSuffix(view, `/pages/${handle}`, page),
    description: () => localizedPage.seo?.description ?? summarize(localizedPage.content),
  };
}

function findBlogPage(view: View, handle: string): PageData | undefined {
  const blog = createBlogObject(view, handle);
  if (blog === undefined) return undefined;
  return {
    ...createPage("blog", readBlogTitle(view, handle), handle, { blog: () => blog }),
    suffix: readTemplateSuffix(view, `/blogs/${handle}`),
    ...listTags(view, ({ catalog }) => catalog.numbers("article")),
  };
}

/** Returns the tags that filter the current list.  @param numbers returns the document numbers of the list's entries */
function listTags(view: View, numbers: (request: RenderRequest) => Uint32Array): Pick<PageData, "tags"> {
  const handles = parsePageList(view)?.tags ?? [];
  if (handles.length === 0) return {};
  const { request } = view;
  return { tags: () => listTagNames(request.catalog, numbers(request), handles, request.locale) };
}

function findArticlePage(view: View, blog: string, handle: string): PageData | undefined {
  const article = view.request.catalog.article(blog, handle);
  if (article === undefined || !isArticlePublished(article, view.request.now)) return undefined;
  const localizedArticle = localize(article, view.request.locale);
  const page = createPage("article", localizedArticle.seo?.title ?? localizedArticle.title, handle, {
    article: () => createArticleObject(view, article),
    blog: () => createBlogObject(view, blog),
  });
  return {
    ...page,
    suffix: readTemplateSuffix(view, `/blogs/${blog}/${handle}`, article),
    description: () =>
      localizedArticle.seo?.description ??
      summarize(localizedArticle.excerpt === "" ? localizedArticle.content : localizedArticle.excerpt),
    image: () => createImageObject(getOwnImage(localizedArticle)),
  };
}

function findBundlePage(view: View, handle: string): PageData | undefined {
  const { catalog, locale, now } = view.request;
  const bundle = catalog.bundle(handle);
  if (bundle === undefined || !isBundleLive(bundle, catalog, now)) return undefined;
  const { name, title } = localize(bundle, locale);
  const products = bundle.products.flatMap((productHandle) => {
    const product = catalog.product(productHandle);
    return product === undefined ? [] : [localize(product, locale)];
  });
  return {
    ...createPage("bundle", title, handle, { bundle: () => createBundleObject(view, bundle) }),
    description: () => summarize(`${name}: ${products.map((product) => product.title).join(", ")}`),
    image: () => createImageObject(products[0] && getFeaturedImage(products[0])),
  };
}

function createSearchPage(view: View): PageData {
  let search: Search | undefined;
  const getSearch = (): Search => {
    search ??= createSearch(view);
    return search;
  };
  const page = createPage("search", getPageTitle(view, "search"), undefined, {
    search: () => createSearchObject(view, getSearch()),
  });
  return { ...page, search: getSearch };
}

function findCheckoutPage(view: View): PageData | undefined {
  const { checkout, orderForm } = view.request;
  if (checkout === undefined) return undefined;
  return createPage("checkout", getPageTitle(view, "checkout"), undefined, {
    checkout: () => createCartObject(view, checkout),
    order_form: () => (orderForm === undefined ? undefined : new TemplateObject(orderFormType, orderForm)),
  });
}

function createAccountPage(view: View, parts: readonly string[]): PageData | undefined {
  const page = findAccountPage(parts);
  const isAvailable = view.config.customers.accounts && !(page?.isPrivate && view.request.customer === undefined);
  if (page === undefined || !isAvailable) return undefined;
  return page.type === "customers/order"
    ? findOrderPage(view, page.type)
    : createPage(page.type, getPageTitle(view, page.title));
}

function findGiftCardPage(view: View): PageData | undefined {
  const { giftCard } = view.request;
  if (giftCard === undefined) return undefined;
  return createPage("gift_card", getPageTitle(view, "gift_card"), undefined, {
    gift_card: () => new TemplateObject(giftCardType, { view, ...giftCard }),
  });
}

function findOrderPage(view: View, type: PageContext["type"]): PageData | undefined {
  const { order } = view.request;
  if (order === undefined) return undefined;
  return createPage(type, getPageTitle(view, "order"), undefined, { order: () => createOrderObject(view, order) });
}

function createPage(
  type: PageContext["type"],
  title: string,
  handle?: string,
  objects: Record<string, () => unknown> = {},
): PageData {
  return { type, title, objects: new Map(Object.entries(objects)), ...(handle === undefined ? {} : { handle }) };
}

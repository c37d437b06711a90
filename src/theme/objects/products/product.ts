import { hasPriceBreaks } from "../../../cart/price-breaks.ts";
import { localize } from "../../../catalog/localize.ts";
import { isMediaView, listProductMedia } from "../../../catalog/presenters/media.ts";
import {
  fullProductPresenter,
  getFeaturedImage,
  listProductImages,
  type ProductView,
} from "../../../catalog/presenters/product.ts";
import type { Product, Variant } from "../../../catalog/product.ts";
import { isAvailable } from "../../../catalog/stock.ts";
import { findMatchedVariant } from "../../../predictive-search/matched-variant.ts";
import { type ProductSearch, type ResultView, resultPresenter } from "../../../predictive-search/result-presenter.ts";
import { addPathPrefix, isFromShopify, type View } from "../../view.ts";
import { resolveReference } from "../content/metaobject.ts";
import { createImageObject, createImageUrlObject, type ProductImage } from "../image.ts";
import { createMediaObject } from "../media.ts";
import { createMetafieldsObject } from "../metafields.ts";
import { createObjectType, TemplateObject, TextObject } from "../template-object.ts";
import { readTemplateSuffix } from "../template-suffix.ts";
import { createOptionObjects, createOptionsDrop } from "./product-option.ts";
import { findInitialVariant, findSelectedVariant } from "./selected-variant.ts";
import { addProduct, createVariantObject } from "./variant.ts";

interface ProductData extends ProductView {
  readonly view: View;
  /** The search that found the product; undefined outside of searches. */
  readonly search: ProductSearch | undefined;
}

/**
 * Creates a `product` object in the page's language.
 * @param product product in any language
 * @param search search that found the product. Default: none
 */
export function createProductObject(view: View, product: Product, search?: ProductSearch): TemplateObject<ProductData> {
  const { request, prefix } = view;
  return new TemplateObject(productType, { view, product: localize(product, request.locale), prefix, search });
}

/** Creates a product object that prints its URL within a collection.  @param path that URL, without language prefix */
export function createCollectionProduct(view: View, product: Product, path: string): TemplateObject<ProductData> {
  const { request, prefix } = view;
  const subject: ProductData = { view, product: localize(product, request.locale), prefix, search: undefined };
  return new TextObject(productType, subject, addPathPrefix(view, path));
}

/**
 * Date of a product that has no date in the catalog, for themes made for Shopify. These themes print the date inside
 * scripts, where an empty string would cause an error. The date is old, so that no theme marks the product as new.
 */
const UNKNOWN_DATE = "1970-01-01T00:00:00Z";

const productType = createObjectType<ProductData>(
  "product",
  {
    ...fullProductPresenter,
    created_at: ({ view, product: { createdAt, publishedAt } }) =>
      createdAt ?? (isFromShopify(view) ? (publishedAt ?? UNKNOWN_DATE) : undefined),
    options: ({ product }) => product.options,
    variants: ({ view, product, search }) =>
      product.variants.map((variant) => createVariantObject(view, product, variant, search)),
    image: (data) => createImageUrlObject(readFeaturedImage(data)),
    images: (data) => listProductImages(data.product).map((image) => createImageUrlObject(addProduct(data, image))),
    media: (data) =>
      listProductMedia(data.product).map((media) =>
        createMediaObject(isMediaView(media) ? media : addProduct(data, media)),
      ),
    // The `json` filter must return the same type as the JSON API: an object in suggestions, a URL in
    // `/products/<handle>.js`.
    featured_image: (data) =>
      (data.view.request.predictiveSearch === undefined ? createImageUrlObject : createImageObject)(
        readFeaturedImage(data),
      ),
  },
  {
    featured_media: (data) =>
      createImageObject(readFeaturedImage(data)) ?? listProductMedia(data.product).map(createMediaObject)[0],
    variants_count: ({ product }) => product.variants.length,
    options_with_values: ({ view, product }) => createOptionObjects(view, product),
    options_by_name: ({ view, product }) => createOptionsDrop(view, product),
    selected_variant: (subject) => toVariantObject(subject, findSelectedVariant(subject.view, subject.product)),
    first_available_variant: (subject) => toVariantObject(subject, subject.product.variants.find(isAvailable)),
    selected_or_first_available_variant: (subject) =>
      toVariantObject(subject, findInitialVariant(subject.view, subject.product)),
    collections: ({ view, product }) =>
      view.request.catalog.collectionsOf(product.handle).flatMap((handle) => {
        const collection = view.request.catalog.collection(handle);
        return collection === undefined ? [] : [view.objects.collection(view, collection)];
      }),
    metafields: ({ view, product }) =>
      createMetafieldsObject(product.metafields, (type, value) => resolveReference(view, type, value)),
    category: ({ product }) => createCategoryObject(product.category),
    template_suffix: ({ view, product }) => readTemplateSuffix(view, `/products/${product.handle}`, product),
    matched_variant: (subject) =>
      toVariantObject(subject, subject.search && findMatchedVariant(subject.search, subject.product)),
    collapsed_count: (subject) => readResult(subject, resultPresenter.collapsed_count) ?? 0,
    collapsed_url: (subject) => readResult(subject, resultPresenter.collapsed_url),
    "gift_card?": ({ product }) => product.giftCard,
    "quantity_price_breaks_configured?": ({ view, product }) => hasPriceBreaks(product, view.request),
  },
  {
    emptyFields:
      "selected_selling_plan selected_selling_plan_allocation selected_or_first_available_selling_plan_allocation",
    fieldTypes: {
      variants: "variant[]",
      images: "image[]",
      media: "media[]",
      featured_image: "image",
      featured_media: "image",
      image: "image",
      options_with_values: "product_option[]",
      selected_variant: "variant",
      matched_variant: "variant",
      first_available_variant: "variant",
      selected_or_first_available_variant: "variant",
      collections: "collection[]",
      category: "taxonomy_category",
      metafields: "metafields",
    },
    identity: ({ product }) => product.id,
  },
);

function readFeaturedImage(data: ProductData): ProductImage | undefined {
  return addProduct(data, getFeaturedImage(data.product));
}

/** Reads a field that depends on the search that found the product; undefined outside of searches. */
function readResult<T>({ search, product, prefix }: ProductData, readField: (result: ResultView) => T): T | undefined {
  const number = search?.at.catalog.productNumber(product.handle);
  return search === undefined || number === undefined ? undefined : readField({ number, search, prefix });
}

function toVariantObject({ view, product, search }: ProductData, variant: Variant | undefined): unknown {
  return variant === undefined ? undefined : createVariantObject(view, product, variant, search);
}

/**
 * Creates the object of a product's category, such as "Clothing". The object prints the most specific name.
 * @param path all names, the most general first: "Apparel & Accessories > Clothing"
 */
export function createCategoryObject(path: string | undefined): TextObject<readonly string[]> | undefined {
  const names = (path ?? "").split(">").map((name) => name.trim());
  return names.at(-1) === "" ? undefined : createCategory(names);
}

/** Creates a category object.  @param names category names, the most general first; not empty */
function createCategory(names: readonly string[]): TextObject<readonly string[]> {
  return new TextObject(categoryType, names, names.at(-1) ?? "");
}

const categoryType = createObjectType<readonly string[]>(
  "taxonomy_category",
  { name: (names) => names.at(-1) },
  { ancestors: (names) => names.slice(0, -1).map((_, index) => createCategory(names.slice(0, index + 1))) },
  {
    emptyFields: "id gid",
    fieldTypes: { ancestors: "taxonomy_category[]" },
    identity: (names) => names.join("\n"),
  },
);

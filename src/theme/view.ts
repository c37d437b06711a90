import type { Drop } from "@vitrine/liquid";
import type { Collection } from "../catalog/collection.ts";
import type { Product } from "../catalog/product.ts";
import type { Config } from "../config/settings.ts";
import type { CustomerOrderPages } from "./checkout-pages.ts";
import type { CompiledTheme } from "./files/compiled-theme.ts";
import type { Translator } from "./files/locales.ts";
import type { SettingSchema } from "./files/schema.ts";
import type { RenderRequest } from "./theme.ts";

/** Data of one render from which template objects are created. */
export interface View {
  readonly request: RenderRequest;
  readonly config: Config;
  readonly theme: CompiledTheme;
  /** Language prefix of every path: "" or "/fr". */
  readonly prefix: string;
  /** Path of the page without language prefix: "/products/tote". */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly translate: Translator;
  readonly objects: ObjectFactories;
  /** Returns whether the store has an image with this file name. */
  readonly hasMedia: (name: string) => boolean;
  /** Global variables of the render. They are set after the view was created. */
  readonly variables: { globals?: Drop };
  /** The customer's orders. Undefined if no template reads the orders. */
  readonly customerOrders: { orders?: CustomerOrderPages };
}

/**
 * Functions that create template objects. Callers pass them in, because modules such as products and collections, whose
 * objects contain each other, cannot import each other.
 */
export interface ObjectFactories {
  product(view: View, product: Product): unknown;
  collection(view: View, collection: Collection): unknown;
  blog(view: View, handle: string): unknown;
  settings(view: View, schema: readonly SettingSchema[], values: Readonly<Record<string, unknown>>): unknown;
}

/**
 * Creates the view for a render request. If the target is invalid, the view's query is empty.
 * @param hasMedia default: all images exist
 */
export function createView(
  request: RenderRequest,
  config: Config,
  theme: CompiledTheme,
  objects: ObjectFactories,
  hasMedia: View["hasMedia"] = () => true,
): View {
  const target = request.target.split("#", 1)[0] ?? "/";
  const queryStart = target.indexOf("?");
  return {
    request,
    config,
    theme,
    prefix: request.locale === config.locales.default ? "" : `/${request.locale}`,
    path: queryStart < 0 ? target : target.slice(0, queryStart),
    query: new URLSearchParams(queryStart < 0 ? "" : target.slice(queryStart)),
    translate: theme.getTranslator(request.locale),
    objects,
    hasMedia,
    variables: {},
    customerOrders: {},
  };
}

/** Returns the decoded parts of a path, or undefined if a part is not valid UTF-8. */
export function decodePathParts(path: string): string[] | undefined {
  if (!path.startsWith("/") || path.length > 4_096) return undefined;
  const parts = path.slice(1).split("/");
  if (parts.length > 1 && parts.at(-1) === "") parts.pop();
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Returns the host of the shop, with its port: "shop.example". */
export function getHost({ request }: View): string {
  return request.origin.replace(/^\w+:\/\//, "");
}

/** Adds the language prefix to a path of the shop. Other URLs are returned unchanged. */
export function addPathPrefix(view: View, path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  return path === "/" && view.prefix !== "" ? view.prefix : view.prefix + path;
}

/** Returns whether the theme was made for Shopify, according to the settings. */
export function isFromShopify({ config: { compat } }: Pick<View, "config">): boolean {
  return compat.script || compat.sectionClass !== undefined;
}

/**
 * Returns the prefix of file URLs. For a theme made for Shopify, which adds the scheme itself, this is
 * "//shop.example". For other themes, it is "".
 */
export function getFileUrlPrefix(view: View): string {
  return isFromShopify(view) ? view.request.origin.replace(/^\w+:/, "") : "";
}

/** Returns the URL of another page of the current list. */
export function formatPageNumberUrl(view: View, page: number): string {
  const query = parsePageQuery(view);
  query.set("page", String(page));
  return `${addPathPrefix(view, view.path)}?${query}`;
}

/** Returns the page's query without the parameters of section rendering. */
export function parsePageQuery(view: View): URLSearchParams {
  const query = new URLSearchParams(view.query);
  for (const name of new Set(query.keys()))
    if (/^(?:section_id|section(?:s|_ids)(?:\[\d*\])?)$/.test(name)) query.delete(name);
  return query;
}

/** Returns the page number of a list from the query, from 1. */
export function parsePageNumber(view: View): number {
  return Number(/^[1-9]\d{0,6}$/.exec(view.query.get("page") ?? "")?.[0] ?? 1);
}

/**
 * Returns the canonical URL of the page, for search engines. It contains no query parameters except the page number of
 * a list. A product has the same URL in every collection.
 */
export function getCanonicalUrl(view: View): string {
  const page = parsePageNumber(view);
  const productPath = /^\/collections\/[^/]+(\/products\/[^/]+)$/.exec(view.path)?.[1] ?? view.path;
  const path = view.request.origin + addPathPrefix(view, productPath);
  return page === 1 ? path : `${path}?page=${page}`;
}

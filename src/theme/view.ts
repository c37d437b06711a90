import type { Drop } from "@vitrine/liquid";
import type { Collection } from "../catalog/collection.ts";
import type { Product } from "../catalog/product.ts";
import type { Config } from "../config/settings.ts";
import type { CustomerOrderPages } from "./checkout-pages.ts";
import type { CompiledTheme } from "./files/compiled-theme.ts";
import type { Translator } from "./files/locales.ts";
import type { SettingSchema } from "./files/schema.ts";
import type { RenderRequest } from "./theme.ts";

/** Data from which the objects of one render are created. */
export interface View {
  readonly request: RenderRequest;
  readonly config: Config;
  readonly theme: CompiledTheme;
  /** Prefix of every path in the render's language: "" or "/fr". */
  readonly prefix: string;
  /** Path of the context page without prefix: "/products/tote". */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly translate: Translator;
  readonly objects: ObjectMakers;
  /** Global variables of the render, set at its start. */
  readonly variables: { globals?: Drop };
  /** Loaded orders of the customer, or undefined if no template names the orders. */
  readonly customerOrders: { orders?: CustomerOrderPages };
}

/** Constructors of objects that refer to each other in a cycle: a product's collections contain products. */
export interface ObjectMakers {
  product(view: View, product: Product): unknown;
  collection(view: View, collection: Collection): unknown;
  blog(view: View, handle: string): unknown;
  settings(view: View, schema: readonly SettingSchema[], values: Readonly<Record<string, unknown>>): unknown;
}

/** Splits a render request into a view. An invalid target has an empty query. */
export function createView(request: RenderRequest, config: Config, theme: CompiledTheme, objects: ObjectMakers): View {
  const target = request.target.split("#", 1)[0] ?? "/";
  const queryStart = target.indexOf("?");
  return {
    request,
    config,
    theme,
    prefix: request.locale === config.locales.default ? "" : `/${request.locale}`,
    path: queryStart < 0 ? target : target.slice(0, queryStart),
    query: new URLSearchParams(queryStart < 0 ? "" : target.slice(queryStart)),
    translate: theme.translator(request.locale),
    objects,
    variables: {},
    customerOrders: {},
  };
}

/** Returns the decoded parts of a path, or undefined if one is not valid UTF-8. */
export function pathSegments(path: string): string[] | undefined {
  if (!path.startsWith("/") || path.length > 4_096) return undefined;
  const parts = path.slice(1).split("/");
  if (parts.length > 1 && parts.at(-1) === "") parts.pop();
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Decodes a part of a path.  @param fallback returned if the part is not valid UTF-8 */
export function decodePathPart(part: string, fallback = ""): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return fallback;
  }
}

/** Adds the language prefix to a path of the store. Other URLs are returned unchanged. */
export function localPath(view: View, path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  return path === "/" && view.prefix !== "" ? view.prefix : view.prefix + path;
}

/** Returns whether the settings say that the theme was made for Shopify. */
export function isForeign({ config: { compat } }: Pick<View, "config">): boolean {
  return compat.script || compat.sectionClass !== undefined;
}

/** Returns the prefix of file URLs: "//shop.example" for a theme made for Shopify, which adds a scheme, else "". */
export function fileUrlPrefix(view: View): string {
  return isForeign(view) ? view.request.origin.replace(/^\w+:/, "") : "";
}

/** Returns the URL of the page with one changed query parameter. */
export function pageUrl(view: View, name: string, value: string): string {
  const query = pageQuery(view);
  query.set(name, value);
  return `${localPath(view, view.path)}?${query}`;
}

/** Returns the page's query without the parameters of section rendering. */
export function pageQuery(view: View): URLSearchParams {
  const query = new URLSearchParams(view.query);
  for (const name of new Set(query.keys()))
    if (/^(?:section_id|section(?:s|_ids)(?:\[\d*\])?)$/.test(name)) query.delete(name);
  return query;
}

/** Returns the page number of a list from the query, from 1. */
export function pageNumber(view: View): number {
  return Number(/^[1-9]\d{0,6}$/.exec(view.query.get("page") ?? "")?.[0] ?? 1);
}

/**
 * Returns the canonical URL for search engines: without query except the page number of a list. A product has the same
 * URL in all collections.
 */
export function canonicalUrl(view: View): string {
  const page = pageNumber(view);
  const productPath = /^\/collections\/[^/]+(\/products\/[^/]+)$/.exec(view.path)?.[1] ?? view.path;
  const path = view.request.origin + localPath(view, productPath);
  return page === 1 ? path : `${path}?page=${page}`;
}

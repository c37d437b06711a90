import type { Collection } from "../catalog/collection.ts";
import type { Product } from "../catalog/product.ts";
import type { Config } from "../config/settings.ts";
import type { Drop } from "../liquid/values/drop.ts";
import type { CustomerOrderPages } from "./checkout-pages.ts";
import type { CompiledTheme } from "./files/compiled-theme.ts";
import type { Translator } from "./files/locales.ts";
import type { SettingSchema } from "./files/schema.ts";
import type { RenderRequest } from "./theme.ts";

/** What the objects of one render are made from. */
export interface View {
  readonly request: RenderRequest;
  readonly config: Config;
  readonly theme: CompiledTheme;
  /** Of every path in the render's language: "" or "/fr". */
  readonly prefix: string;
  /** The context page's, without prefix: "/products/tote". */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly translate: Translator;
  readonly objects: ObjectMakers;
  /** The variables of the render that it belongs to, once there are some. */
  readonly variables: { bound?: Drop };
  /** What the customer ordered, once it was read; absent: no template names it. */
  readonly customerOrders: { read?: CustomerOrderPages };
}

/** Makes the objects that fields of their own fields lead back to: a product's collections hold products. */
export interface ObjectMakers {
  product(view: View, product: Product): unknown;
  collection(view: View, collection: Collection): unknown;
  blog(view: View, handle: string): unknown;
  settings(view: View, schema: readonly SettingSchema[], values: Readonly<Record<string, unknown>>): unknown;
}

/** Takes a render request apart. A target that is no proper address has an empty query. */
export function createView(request: RenderRequest, config: Config, theme: CompiledTheme, objects: ObjectMakers): View {
  const target = request.target.split("#", 1)[0] ?? "/";
  const mark = target.indexOf("?");
  return {
    request,
    config,
    theme,
    prefix: request.locale === config.locales.default ? "" : `/${request.locale}`,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? "" : target.slice(mark)),
    translate: theme.translator(request.locale),
    objects,
    variables: {},
    customerOrders: {},
  };
}

/** The parts of a path, decoded; undefined where one is not valid UTF-8. */
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

/** A path of the store in the render's language; other addresses stay as they are. */
export function localPath(view: View, path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  return path === "/" && view.prefix !== "" ? view.prefix : view.prefix + path;
}

/** Whether the theme was made for Shopify, as far as the settings tell. */
export function isForeign({ config: { compat } }: Pick<View, "config">): boolean {
  return compat.script || compat.sectionClass !== undefined;
}

/** What addresses of files begin with: "//shop.example" for a theme made for Shopify, which puts a scheme before them; else empty. */
export function fileHost(view: View): string {
  return isForeign(view) ? view.request.origin.replace(/^\w+:/, "") : "";
}

/** The same page with one parameter of its query set. */
export function pageAddress(view: View, name: string, value: string): string {
  const query = shownQuery(view);
  query.set(name, value);
  return `${localPath(view, view.path)}?${query}`;
}

/** The page's query without what belongs to section rendering alone. */
export function shownQuery(view: View): URLSearchParams {
  const query = new URLSearchParams(view.query);
  for (const name of new Set(query.keys()))
    if (/^(?:section_id|section(?:s|_ids)(?:\[\d*\])?)$/.test(name)) query.delete(name);
  return query;
}

/** Which page of a list the query asks for; 1 for the first. */
export function pageNumber(view: View): number {
  return Number(/^[1-9]\d{0,6}$/.exec(view.query.get("page") ?? "")?.[0] ?? 1);
}

/** The address search engines should keep: without the query, but for the number of a list's page; a product's own, in whatever list it is looked at. */
export function canonicalAddress(view: View): string {
  const page = pageNumber(view);
  const own = /^\/collections\/[^/]+(\/products\/[^/]+)$/.exec(view.path)?.[1] ?? view.path;
  const path = view.request.origin + localPath(view, own);
  return page === 1 ? path : `${path}?page=${page}`;
}

import { policyHandles } from "../../../catalog/content.ts";
import type { Shop } from "../../../shop.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";

type RedirectServices = Pick<Shop, "config" | "snapshot">;

/**
 * Handles `GET /policies/<handle>`, a path that other shop platforms use: redirects to the page of the policy.
 * @returns undefined if the shop has no such policy
 */
export function redirectToPolicy(shop: RedirectServices, request: StoreRequest): Reply | undefined {
  const { handle = "" } = request.params;
  if (!policyHandles.includes(handle) || shop.snapshot().catalog.page(handle) === undefined) return undefined;
  return redirect(301, `${getUrlPrefix(shop, request)}/pages/${handle}${request.search}`);
}

/**
 * Handles `GET /collections/vendors?q=<vendor>` and `GET /collections/types?q=<type>`: redirects to all products of the
 * vendor or product type.
 * @returns undefined if the shop has a collection named "vendors" or "types"
 */
export function findCollection(
  field: "vendor" | "product_type",
  shop: RedirectServices,
  request: StoreRequest,
): Reply | undefined {
  const handle = request.path.split("/").at(-1) ?? "";
  if (shop.snapshot().catalog.collection(handle) !== undefined) return undefined;
  const value = request.query.get("q") ?? "";
  const prefix = getUrlPrefix(shop, request);
  if (value === "") return redirect(301, `${prefix}/collections`);
  const otherParams = [...request.query].filter(([name]) => name !== "q");
  const query = new URLSearchParams([[`filter.p.${field}`, value], ...otherParams]);
  return redirect(301, `${prefix}/collections/all?${query}`);
}

/**
 * Handles `GET /password`: redirects to the home page. On other platforms, this page protects a shop before it opens.
 */
export function redirectPasswordPage(shop: Pick<Shop, "config">, request: StoreRequest): Reply {
  return redirect(302, `${getUrlPrefix(shop, request)}/`);
}

function getUrlPrefix({ config }: Pick<Shop, "config">, { locale }: StoreRequest): string {
  return formatLocalePrefix(locale, config.locales);
}

import { localize } from "../../../catalog/localize.ts";
import { pagePresenter, type ShownPage } from "../../../catalog/presenters/page.ts";
import type { View } from "../../view.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** Handles of the pages that are a shop's policies. */
export const policyHandles: readonly string[] = [
  "privacy-policy",
  "refund-policy",
  "shipping-policy",
  "subscription-policy",
  "terms-of-service",
];

/** A policy is the shop's page of that handle; undefined where there is none. */
export function policyObject(view: View, handle: string): TemplateObject<ShownPage> | undefined {
  const page = view.request.catalog.page(handle);
  if (page === undefined) return undefined;
  return new TemplateObject(policyType, { page: localize(page, view.request.locale), prefix: view.prefix });
}

export function policyObjects(view: View): TemplateObject<ShownPage>[] {
  return policyHandles.map((handle) => policyObject(view, handle)).filter((policy) => policy !== undefined);
}

const { id, title, body, url } = pagePresenter;
const policyType = objectType<ShownPage>("policy", { id, title, body, url }, {}, { identity: ({ page }) => page.id });

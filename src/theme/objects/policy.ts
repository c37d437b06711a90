import { localize } from "../../catalog/localize.ts";
import type { Page } from "../../catalog/page.ts";
import { localPath, type View } from "../view.ts";
import { objectType, TemplateObject } from "./template-object.ts";
import { idOf } from "./variant.ts";

/** Handles of the pages that are a shop's policies. */
const handles = ["privacy-policy", "refund-policy", "shipping-policy", "subscription-policy", "terms-of-service"];

interface Subject {
  readonly view: View;
  readonly page: Page;
}

/** A policy is the shop's page of that handle; undefined where there is none. */
export function policyObject(view: View, handle: string): TemplateObject<Subject> | undefined {
  const page = view.request.catalog.page(handle);
  if (page === undefined) return undefined;
  return new TemplateObject(policyType, { view, page: localize(page, view.request.locale) });
}

export function policyObjects(view: View): TemplateObject<Subject>[] {
  return handles.map((handle) => policyObject(view, handle)).filter((policy) => policy !== undefined);
}

const policyType = objectType<Subject>(
  "policy",
  {
    id: ({ page }) => idOf(page.id),
    title: ({ page }) => page.title,
    body: ({ page }) => page.content,
    url: ({ view, page }) => localPath(view, `/pages/${encodeURIComponent(page.handle)}`),
  },
  {},
  { identity: ({ page }) => page.id },
);

import { policyHandles } from "../../../catalog/content.ts";
import { localize } from "../../../catalog/localize.ts";
import { type PageView, pagePresenter } from "../../../catalog/presenters/content.ts";
import type { View } from "../../view.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";

/** Creates a `policy` object from the page with this handle.  @returns undefined if the page does not exist */
export function createPolicyObject(view: View, handle: string): TemplateObject<PageView> | undefined {
  const page = view.request.catalog.page(handle);
  if (page === undefined) return undefined;
  return new TemplateObject(policyType, { page: localize(page, view.request.locale), prefix: view.prefix });
}

export function createPolicyObjects(view: View): TemplateObject<PageView>[] {
  return policyHandles.map((handle) => createPolicyObject(view, handle)).filter((policy) => policy !== undefined);
}

const { id, title, body, url } = pagePresenter;
const policyType = createObjectType<PageView>(
  "policy",
  { id, title, body, url },
  {},
  { identity: ({ page }) => page.id },
);

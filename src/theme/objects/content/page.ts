import { localize } from "../../../catalog/localize.ts";
import type { Page } from "../../../catalog/page.ts";
import { pagePresenter, type ShownPage } from "../../../catalog/presenters/page.ts";
import type { View } from "../../view.ts";
import { noMetafields } from "../metafields.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** @param page in any language; it is translated here */
export function pageObject(view: View, page: Page): TemplateObject<ShownPage> {
  return new TemplateObject(pageType, { page: localize(page, view.request.locale), prefix: view.prefix });
}

const pageType = objectType<ShownPage>(
  "page",
  pagePresenter,
  { metafields: () => noMetafields },
  {
    absent: "author template_suffix published_at",
    returns: { metafields: "metafields" },
    identity: ({ page }) => page.id,
  },
);

import type { Page } from "../../../catalog/content.ts";
import { localize } from "../../../catalog/localize.ts";
import { type PageView, pagePresenter } from "../../../catalog/presenters/content.ts";
import type { View } from "../../view.ts";
import { emptyMetafields } from "../metafields.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { readTemplateSuffix } from "../template-suffix.ts";

interface PageObjectData extends PageView {
  readonly view: View;
}

/** Creates a `page` object in the language of the request.  @param page page in any language */
export function createPageObject(view: View, page: Page): TemplateObject<PageObjectData> {
  return new TemplateObject(pageType, { view, page: localize(page, view.request.locale), prefix: view.prefix });
}

const pageType = createObjectType<PageObjectData>(
  "page",
  pagePresenter,
  {
    metafields: () => emptyMetafields,
    template_suffix: ({ view, page }) => readTemplateSuffix(view, `/pages/${page.handle}`, page),
  },
  {
    emptyFields: "author published_at",
    fieldTypes: { metafields: "metafields" },
    identity: ({ page }) => page.id,
  },
);

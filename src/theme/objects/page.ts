import { localize } from "../../catalog/localize.ts";
import type { Page } from "../../catalog/page.ts";
import { localPath, type View } from "../view.ts";
import { noMetafields } from "./metafields.ts";
import { objectType, TemplateObject } from "./template-object.ts";
import { idOf } from "./variant.ts";

interface Subject {
  readonly view: View;
  readonly page: Page;
}

/** @param page in any language; it is translated here */
export function pageObject(view: View, page: Page): TemplateObject<Subject> {
  return new TemplateObject(pageType, { view, page: localize(page, view.request.locale) });
}

const pageType = objectType<Subject>(
  "page",
  {
    id: ({ page }) => idOf(page.id),
    title: ({ page }) => page.title,
    handle: ({ page }) => page.handle,
    url: ({ view, page }) => localPath(view, `/pages/${encodeURIComponent(page.handle)}`),
    content: ({ page }) => page.content,
  },
  { metafields: () => noMetafields },
  {
    absent: "author template_suffix published_at",
    returns: { metafields: "metafields" },
    identity: ({ page }) => page.id,
  },
);

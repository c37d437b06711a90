import type { Tag } from "@vitrine/liquid";
import { createEngine, type Engine } from "@vitrine/liquid";
import { filterFamilies } from "../filters/families.ts";
import { form } from "../tags/form.ts";
import { layoutTag, partialTag, styleTag } from "../tags/page-tags.ts";
import { paginateTag } from "../tags/paginate.ts";
import { renderTag } from "../tags/render.ts";
import { blockTag, contentForTag, sectionGroupTag, sectionTag } from "../tags/sections.ts";

/** Creates a Liquid engine with the tags and filters of storefront themes. */
export function createLiquid(): Engine {
  return createEngine({
    tags,
    filters: Object.assign({}, ...filterFamilies),
  });
}

/** Tags that the theme engine adds to standard Liquid. */
const tags: Readonly<Record<string, Tag>> = {
  block: blockTag,
  content_for: contentForTag,
  form,
  layout: layoutTag,
  paginate: paginateTag,
  partial: partialTag,
  render: renderTag,
  section: sectionTag,
  sections: sectionGroupTag,
  style: styleTag,
};

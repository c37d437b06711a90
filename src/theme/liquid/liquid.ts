import type { Tag } from "@vitrine/liquid";
import { createEngine, type Engine } from "@vitrine/liquid";
import { filterFamilies } from "../filters/families.ts";
import { form } from "../tags/form.ts";
import { parseLayoutTag, parsePartialTag, styleTag } from "../tags/page-tags.ts";
import { parsePaginateTag } from "../tags/paginate.ts";
import { parseRenderTag } from "../tags/render.ts";
import { parseBlockTag, parseContentForTag, sectionGroupTag, sectionTag } from "../tags/sections.ts";

/** Creates a Liquid engine with the tags and filters of storefront themes. */
export function createLiquid(): Engine {
  return createEngine({
    tags,
    filters: Object.assign({}, ...filterFamilies),
  });
}

/** Tags that the theme engine adds to standard Liquid. */
const tags: Readonly<Record<string, Tag>> = {
  block: parseBlockTag,
  content_for: parseContentForTag,
  form,
  layout: parseLayoutTag,
  paginate: parsePaginateTag,
  partial: parsePartialTag,
  render: parseRenderTag,
  section: sectionTag,
  sections: sectionGroupTag,
  style: styleTag,
};

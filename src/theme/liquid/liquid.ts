import type { Tag } from "@vitrine/liquid";
import { createEngine, type Engine } from "@vitrine/liquid";
import { filterFamilies } from "../filters/families.ts";
import { form } from "../tags/form.ts";
import { layout, partial, style } from "../tags/page-tags.ts";
import { paginate } from "../tags/paginate.ts";
import { render } from "../tags/render.ts";
import { block, contentFor, section, sectionGroup } from "../tags/sections.ts";

/** Creates a Liquid engine with the tags and filters of storefront themes. */
export function createLiquid(): Engine {
  return createEngine({
    tags,
    filters: Object.assign({}, ...filterFamilies),
  });
}

/** Tags that the theme engine adds to standard Liquid. */
const tags: Readonly<Record<string, Tag>> = {
  block,
  content_for: contentFor,
  form,
  layout,
  paginate,
  partial,
  render,
  section,
  sections: sectionGroup,
  style,
};

import type { Tag } from "@vitrine/liquid";
import { createEngine, type Engine } from "@vitrine/liquid";
import { filterFamilies } from "../filters/families.ts";
import { block } from "../tags/block.ts";
import { partial, style } from "../tags/body-tags.ts";
import { contentFor } from "../tags/content-for.ts";
import { form } from "../tags/form.ts";
import { layout } from "../tags/layout.ts";
import { paginate } from "../tags/paginate.ts";
import { render } from "../tags/render.ts";
import { section, sectionGroup } from "../tags/section.ts";

/** Creates a Liquid engine with the tags and filters of storefront themes. */
export function createLiquid(): Engine {
  return createEngine({
    tags,
    filters: Object.assign({}, ...filterFamilies),
  });
}

/** Tags in addition to standard Liquid. */
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

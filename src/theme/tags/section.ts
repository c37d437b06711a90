import type { Tag } from "@vitrine/liquid";
import { LiquidError } from "@vitrine/liquid";
import type { MarkupToken } from "@vitrine/liquid/tree";
import { renderGroup, renderStaticSection } from "../render/sections.ts";
import { stateOf } from "../render-state.ts";

/** `{% section 'header' %}`: a section with the theme's settings. */
export const section: Tag = (tag) => {
  const name = fixedName(tag);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => context.write(renderStaticSection(stateOf(context), name)),
  };
};

/** `{% sections 'header-group' %}`: the sections of a group. */
export const sectionGroup: Tag = (tag) => {
  const name = fixedName(tag);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => context.write(renderGroup(stateOf(context), name)),
  };
};

function fixedName({ name, markup, begin }: MarkupToken): string {
  const [, single, double] = /^\s*(?:'([^']*)'|"([^"]*)")/.exec(markup) ?? [];
  const found = single ?? double;
  if (found === undefined)
    throw new LiquidError("syntax", `${name}: name it by a fixed text, like {% section 'header' %}`, begin);
  return found;
}

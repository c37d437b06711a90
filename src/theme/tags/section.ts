import type { MarkupToken, TagParser } from "@vitrine/liquid";
import { LiquidSyntaxError } from "@vitrine/liquid";
import { renderGroup, renderStaticSection } from "../render/sections.ts";
import { stateOf } from "../render-state.ts";

/** `{% section 'header' %}`: a section with the theme's settings. */
export const section: TagParser = (tag) => {
  const name = fixedName(tag);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) => context.write(renderStaticSection(stateOf(context), name)),
  };
};

/** `{% sections 'header-group' %}`: the sections of a group. */
export const sectionGroup: TagParser = (tag) => {
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
    throw new LiquidSyntaxError(`${name}: name it by a fixed text, like {% section 'header' %}`, begin);
  return found;
}

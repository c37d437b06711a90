import type { Tag } from "@vitrine/liquid";
import { markupOf } from "@vitrine/liquid/tree";
import { textOf } from "../filters/filter.ts";
import { stateOf } from "../render-state.ts";
import { createNode } from "./create-node.ts";

/**
 * Selects the layout of a page: `{% layout 'name' %}`, or `{% layout none %}` for no layout. Used in Liquid templates.
 */
export const parseLayoutTag: Tag = (tag, parser) => {
  const hasNoLayout = tag.markup.trim() === "none";
  const name = parser.parseFilteredValue(markupOf(tag));
  return {
    at: tag.begin,
    isBlank: true,
    render: (context) => {
      stateOf(context).layout = hasNoLayout ? false : textOf(name(context));
    },
  };
};

/**
 * Marks a part of a page that scripts can refresh: `{% partial 'product-grid' %}…{% endpartial %}`. Prints an HTML
 * comment before and after the part, by which `client/partials.js` finds it.
 */
export const parsePartialTag: Tag = (tag, parser) => {
  const evaluateName = parser.parseFilteredValue(markupOf(tag));
  const { body } = parser.body(tag);
  return createNode(tag, (context) => {
    const name = encodeURIComponent(textOf(evaluateName(context)).toWellFormed()).replaceAll("-", "%2D");
    context.write(`<!--partial:${name}-->`);
    body.render(context);
    context.write(`<!--/partial:${name}-->`);
  });
};

/** Wraps CSS that contains Liquid in a `style` element: `{% style %}…{% endstyle %}`. */
export const styleTag: Tag = (tag, parser) => {
  const { body } = parser.body(tag);
  return createNode(tag, (context) => {
    context.write("<style>");
    body.render(context);
    context.write("</style>");
  });
};

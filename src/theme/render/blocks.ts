import type { Context } from "@vitrine/liquid";
import type { BlockPlacement } from "../files/json-template.ts";
import { renderAttribute } from "../liquid/safe-html.ts";
import { createClosestObject } from "../objects/settings/closest.ts";
import { blockType } from "../objects/settings/section.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { assignGlobalKey, type RenderState, stateOf } from "../render-state.ts";

/** A block that a Liquid file renders by type and id: `{% content_for 'block', type: 'price', id: 'price' %}`. */
export interface StaticBlock {
  readonly type: string;
  readonly id: string;
  /** Arguments of the tag by name. The argument "closest.product" sets the product for the block. */
  readonly values: Readonly<Record<string, unknown>>;
  /** HTML of the content inside the tag. */
  readonly content?: string;
}

/**
 * Renders the blocks that the merchant added to this section or block (`{% content_for 'blocks' %}`). Blocks without a
 * file in `blocks/` are rendered by the section's own template.
 */
export function renderBlocks(context: Context, values: Readonly<Record<string, unknown>>): void {
  const state = stateOf(context);
  for (const block of (state.block ?? state.placement)?.blocks ?? [])
    if (!block.isStatic && state.theme.has(getBlockFile(block.type))) renderBlock(context, state, block, values);
}

/**
 * Renders a block that the template names by id. The JSON template contains the settings for this id.
 * @throws Error if the theme has no file for the block
 */
export function renderStaticBlock(context: Context, { type, id, values, content }: StaticBlock): void {
  const state = stateOf(context);
  const placement = (state.block ?? state.placement)?.blocks.find((block) => block.id === id && block.isStatic);
  const block = placement ?? { id, type, settings: {}, blocks: [], isStatic: true };
  renderBlock(context, state, { ...block, type }, values, content);
}

export function getBlockFile(type: string): string {
  return `blocks/${type}.liquid`;
}

function renderBlock(
  context: Context,
  state: RenderState,
  block: BlockPlacement,
  values: Readonly<Record<string, unknown>>,
  content?: string,
): void {
  const file = getBlockFile(block.type);
  const template = state.theme.template(file);
  const schema = state.theme.schema(file);
  // The tag `{% block %}` passes `content`. Its block gets no wrapper element, because the element's id would not be
  // unique if a file contains several blocks of the same type.
  const { tag, className } = content === undefined ? schema : { tag: undefined, className: undefined };
  const { block: parent, closest } = state;
  const argumentValues = Object.entries(values).filter(([name]) => !name.includes("."));
  const closestArguments = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith("closest.") ? [[name.slice("closest.".length), value] as const] : [],
  );
  const [previousBlock, previousClosest] = ["block", "closest"].map((name) => state.globals.field(name));
  state.block = block;
  state.closest = new Map([...(closest ?? []), ...closestArguments]);
  try {
    const closestObjects = state.closest;
    const object = new TemplateObject(blockType, {
      ...{ view: state.view, block, closest: (name) => closestObjects.get(name) },
      ...(content === undefined ? {} : { content }),
    });
    state.globals[assignGlobalKey]("closest", createClosestObject(state.globals, closestObjects));
    state.globals[assignGlobalKey]("block", object);
    // Like a section, a block cannot read variables that are assigned outside it. Snippets in the block can read the
    // variables of the block.
    const isolatedContext = context.createIsolated(true);
    for (const [name, value] of argumentValues) isolatedContext.assign(name, value);
    if (tag !== undefined) {
      const classes = ["shopify-block", className].filter((name) => name !== undefined).join(" ");
      context.write(
        `<${tag}${renderAttribute("id", `shopify-block-${block.id}`)}${renderAttribute("class", classes)}>`,
      );
    }
    context.renderSnippet(template, isolatedContext);
    if (tag !== undefined) context.write(`</${tag}>`);
  } finally {
    restoreBlock(state, parent, closest);
    state.globals[assignGlobalKey]("closest", previousClosest);
    state.globals[assignGlobalKey]("block", previousBlock);
  }
}

function restoreBlock(
  state: RenderState,
  block: RenderState["block"],
  findClosestObject: RenderState["closest"],
): void {
  if (block === undefined) delete state.block;
  else state.block = block;
  if (findClosestObject === undefined) delete state.closest;
  else state.closest = findClosestObject;
}

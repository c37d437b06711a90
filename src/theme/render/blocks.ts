import type { Context } from "../../liquid/context.ts";
import type { BlockPlacement } from "../files/json-template.ts";
import { attribute } from "../liquid/safe-html.ts";
import { closestObject } from "../objects/settings/closest.ts";
import { blockObject } from "../objects/settings/section.ts";
import { assign, type RenderState, stateOf } from "../render-state.ts";

/** A block that a file of the theme places: `{% content_for 'block', type: 'price', id: 'price' %}`. */
export interface StaticBlock {
  readonly type: string;
  readonly id: string;
  /** What the tag hands over, by name; "closest.product" for the nearest product. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The body of the tag, rendered. */
  readonly content?: string;
}

/** `{% content_for 'blocks' %}`: the blocks that the merchant put into this section or block. Those without a file in
 *  `blocks/` are shown by the section itself, in a loop. */
export function renderBlocks(context: Context, values: Readonly<Record<string, unknown>>): void {
  const state = stateOf(context);
  for (const block of (state.block ?? state.placement)?.blocks ?? [])
    if (!block.isStatic && state.theme.has(blockFile(block.type))) renderBlock(context, state, block, values);
}

/** One block with the settings that the template has for its id. @throws Error where the theme has no such file */
export function renderStaticBlock(context: Context, { type, id, values, content }: StaticBlock): void {
  const state = stateOf(context);
  const placed = (state.block ?? state.placement)?.blocks.find((one) => one.id === id && one.isStatic);
  const block = placed ?? { id, type, settings: {}, blocks: [], isStatic: true };
  renderBlock(context, state, { ...block, type }, values, content);
}

export function blockFile(type: string): string {
  return `blocks/${type}.liquid`;
}

function renderBlock(
  context: Context,
  state: RenderState,
  block: BlockPlacement,
  values: Readonly<Record<string, unknown>>,
  content?: string,
): void {
  const file = blockFile(block.type);
  const template = state.theme.template(file);
  const schema = state.theme.schema(file);
  // A template places a block as often as it likes, so the block has no wrapper with its id.
  const { tag, className } = content === undefined ? schema : { tag: undefined, className: undefined };
  const { block: parent, closest } = state;
  const plain = Object.entries(values).filter(([name]) => !name.includes("."));
  const nearest = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith("closest.") ? [[name.slice("closest.".length), value] as const] : [],
  );
  const [outerBlock, outerClosest] = ["block", "closest"].map((name) => state.globals.field(name));
  state.block = block;
  state.closest = new Map([...(closest ?? []), ...nearest]);
  try {
    const around = state.closest;
    const object = blockObject({
      ...{ view: state.view, block, closest: (name) => around.get(name) },
      ...(content === undefined ? {} : { content }),
    });
    state.globals[assign]("closest", closestObject(state.globals, around));
    state.globals[assign]("block", object);
    // A block is a file of its own, as a section is: snippets that it includes share its variables.
    const inner = context.isolated(true);
    for (const [name, value] of plain) inner.assign(name, value);
    if (tag !== undefined) {
      const classes = ["shopify-block", className].filter((one) => one !== undefined).join(" ");
      context.write(`<${tag}${attribute("id", `shopify-block-${block.id}`)}${attribute("class", classes)}>`);
    }
    context.renderPartial(template, inner);
    if (tag !== undefined) context.write(`</${tag}>`);
  } finally {
    restore(state, parent, closest);
    state.globals[assign]("closest", outerClosest);
    state.globals[assign]("block", outerBlock);
  }
}

function restore(state: RenderState, block: RenderState["block"], closest: RenderState["closest"]): void {
  if (block === undefined) delete state.block;
  else state.block = block;
  if (closest === undefined) delete state.closest;
  else state.closest = closest;
}

import {
  type Context,
  type Emitter,
  type Liquid,
  Tag,
  type TagToken,
  type TopLevelToken,
  TypeGuards,
  type ValueToken,
} from "liquidjs";
import { evaluate } from "../liquid/evaluate.ts";
import { renderBlocks, renderStaticBlock } from "../render/blocks.ts";

/** `{% content_for 'blocks' %}`: the blocks that the merchant placed here; `{% content_for 'block', type: 'price', id: 'price' %}`:
 *  one that always stands here. What else is named, `closest.product` too, the blocks can read. */
export class ContentForTag extends Tag {
  /** undefined: all blocks. */
  readonly #block: { readonly type: string; readonly id: string } | undefined;
  readonly #values: ReadonlyMap<string, ValueToken>;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    const kind = textIn(token.tokenizer.readValue());
    const values = readArguments(token.tokenizer);
    if (kind !== "blocks" && kind !== "block")
      throw new Error(
        `${token.getText()}: write {% content_for 'blocks' %} or {% content_for 'block', type: 'x', id: 'y' %}`,
      );
    const type = textIn(values.get("type"));
    const id = textIn(values.get("id"));
    if (kind === "block" && (type === undefined || id === undefined))
      throw new Error(`${token.getText()}: a block has a type and an id, each a fixed text`);
    this.#block = kind === "block" && type !== undefined && id !== undefined ? { type, id } : undefined;
    if (kind === "block") for (const name of ["type", "id"]) values.delete(name);
    this.#values = values;
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const values: Record<string, unknown> = {};
    for (const [name, value] of this.#values) values[name] = evaluate(value, context);
    if (this.#block === undefined) yield* renderBlocks(context, emitter, values);
    else yield* renderStaticBlock(context, emitter, { ...this.#block, values });
  }
}

/** `a: 1, closest.product: p`: names may have dots here. */
function readArguments(tokenizer: TagToken["tokenizer"]): Map<string, ValueToken> {
  const values = new Map<string, ValueToken>();
  for (;;) {
    tokenizer.skipBlank();
    if (tokenizer.peek() === ",") tokenizer.advance();
    tokenizer.skipBlank();
    const begin = tokenizer.p;
    while (/[\w.-]/.test(tokenizer.peek())) tokenizer.advance();
    const name = tokenizer.input.slice(begin, tokenizer.p);
    tokenizer.skipBlank();
    if (name === "" || tokenizer.peek() !== ":") return values;
    tokenizer.advance();
    const value = tokenizer.readValue();
    if (value === undefined) return values;
    values.set(name, value);
  }
}

function textIn(token: ValueToken | undefined): string | undefined {
  return token !== undefined && TypeGuards.isQuotedToken(token) ? token.content : undefined;
}

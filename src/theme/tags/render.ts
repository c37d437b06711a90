import type { TagToken, TopLevelToken, ValueToken } from "liquidjs";
import { type Context, type Emitter, Hash, type Liquid, Tag, TypeGuards } from "liquidjs";
import { textOf } from "../filters/filter.ts";
import { LimitError, maxDepth } from "../liquid/budget.ts";
import { evaluate } from "../liquid/evaluate.ts";
import { namedArguments } from "../liquid/lax.ts";
import { BareDrop } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import { itemsOf } from "./loop.ts";
import { advance, LoopDrop } from "./loop-drop.ts";

/** `{% render 'card', product: p %}`, `{% render 'card' with p as product %}`, `{% render 'card' for list as product %}`:
 *  a snippet with variables of its own. Its name is fixed text; `{% render block %}` stands for an app's block, and there are none. */
export class RenderTag extends Tag {
  readonly #call: Call;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    this.#call = readCall(token);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { binding, options } = this.#call;
    const name = nameOf(this.#call, context);
    if (name === undefined) return;
    const child = context.spawn();
    const scope = child.bottom() as Record<string, unknown>;
    Object.assign(scope, yield options.render(context));
    const variable = binding?.alias ?? ownName(name);
    const bound = binding === undefined ? undefined : evaluate(binding.value, context);
    if (binding?.isLoop !== true) {
      if (binding !== undefined) scope[variable] = bound;
      yield* show(this.liquid, name, child, emitter);
      return;
    }
    const items = itemsOf(bound);
    const loop = new LoopDrop(items.length, ownName(name));
    scope.forloop = loop;
    for (const item of items) {
      scope[variable] = item;
      yield* show(this.liquid, name, child, emitter);
      loop[advance]();
    }
  }
}

/** `{% include 'card' %}`, `{% include 'card' with product, size: 2 %}`, `{% include 'card' with size: 2 %}`: a snippet that shares the variables around it. Its name may be a variable. */
export class IncludeTag extends Tag {
  readonly #call: Call;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    this.#call = readCall(token);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { binding, options, name: given } = this.#call;
    const name = nameOf(this.#call, context, typeof given !== "string");
    if (name === undefined) return;
    const scope: Record<string, unknown> = Object.assign(Object.create(null), yield options.render(context));
    const variable = binding?.alias ?? ownName(name);
    const bound = binding === undefined ? undefined : evaluate(binding.value, context);
    context.push(scope);
    try {
      for (const item of Array.isArray(bound) ? bound : [bound]) {
        if (binding !== undefined) scope[variable] = item;
        yield* show(this.liquid, name, context, emitter);
      }
    } finally {
      context.pop();
    }
  }
}

interface Call {
  /** A fixed text, or an expression. */
  readonly name: string | ValueToken;
  readonly binding?: { readonly value: ValueToken; readonly isLoop: boolean; readonly alias?: string };
  readonly options: Hash;
  readonly written: string;
}

function readCall(token: TagToken): Call {
  const { tokenizer } = token;
  const value = tokenizer.readValueOrThrow();
  const name = TypeGuards.isQuotedToken(value) ? value.content : value;
  const before = tokenizer.p;
  const word = tokenizer.readIdentifier().content;
  tokenizer.skipBlank();
  const isBinding = (word === "with" || word === "for") && tokenizer.peek() !== ":";
  if (!isBinding) tokenizer.p = before;
  const bound = isBinding ? readBound(tokenizer) : undefined;
  const alias = bound === undefined ? undefined : readAlias(tokenizer);
  return {
    name,
    options: new Hash(namedArguments(tokenizer.remaining())),
    written: token.getText(),
    ...(bound === undefined
      ? {}
      : { binding: { value: bound, isLoop: word === "for", ...(alias === undefined ? {} : { alias }) } }),
  };
}

/** `with product as item`; in `with size: 2` stands the name of an argument. */
function readBound(tokenizer: TagToken["tokenizer"]): ValueToken | undefined {
  const before = tokenizer.p;
  const value = tokenizer.readValue();
  tokenizer.skipBlank();
  if (tokenizer.peek() !== ":") return value;
  tokenizer.p = before;
  return undefined;
}

function readAlias(tokenizer: TagToken["tokenizer"]): string | undefined {
  const before = tokenizer.p;
  if (tokenizer.readIdentifier().content === "as") return tokenizer.readIdentifier().content;
  tokenizer.p = before;
  return undefined;
}

/** @returns undefined where there is nothing to show @throws Error where the name is no name */
function nameOf(call: Call, context: Context, mayVary = false): string | undefined {
  if (typeof call.name === "string") return call.name;
  const value = evaluate(call.name, context);
  if (value instanceof BareDrop && !mayVary) return undefined;
  const name = textOf(value);
  // What a section reads is known before it is rendered, so the snippet must be too.
  if (!mayVary || name === "")
    throw new Error(`${call.written}: name the snippet by a fixed text, like {% render 'price' %}`);
  return name;
}

/** "cards/product" binds the variable `product`. */
function ownName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function* show(liquid: Liquid, name: string, context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
  const state = stateOf(context);
  state.depth += 1;
  try {
    if (state.depth > maxDepth) throw new LimitError(`snippets render one another more than ${maxDepth} deep`);
    const templates = state.theme.template(`snippets/${name}.liquid`);
    yield liquid.renderer.renderTemplates(templates, context, emitter);
  } finally {
    state.depth -= 1;
  }
}

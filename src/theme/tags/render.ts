import type { Parser, TagToken, TopLevelToken } from "liquidjs";
import {
  type Context,
  type Emitter,
  type Liquid,
  IncludeTag as PlainIncludeTag,
  RenderTag as PlainRenderTag,
} from "liquidjs";
import { maxDepth } from "../budget.ts";
import { stateOf } from "../render-state.ts";

/** `{% render 'snippet' %}`: a snippet with variables of its own. Its name is fixed text. */
export class RenderTag extends PlainRenderTag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser);
    requireFixedName(this, token);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    yield* nested(context, super.render(context, emitter));
  }
}

/** `{% include 'snippet' %}`: a snippet that shares the variables around it. Its name is fixed text. */
export class IncludeTag extends PlainIncludeTag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser);
    requireFixedName(this, token);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    yield* nested(context, super.render(context, emitter));
  }
}

/** What a section reads is known before it is rendered, so the snippet must be too. */
function requireFixedName(tag: object, token: TagToken): void {
  if (typeof Reflect.get(tag, "file") !== "string")
    throw new Error(`${token.getText()}: name the snippet by a fixed text, like {% render 'price' %}`);
}

function* nested(context: Context, rendering: Generator<unknown, void, unknown>): Generator<unknown, void, unknown> {
  const state = stateOf(context);
  state.depth += 1;
  try {
    if (state.depth > maxDepth) throw new Error(`snippets render one another more than ${maxDepth} deep`);
    yield* rendering;
  } finally {
    state.depth -= 1;
  }
}

import type { Context, Emitter, Liquid, Parser, TagToken, Template, TopLevelToken } from "liquidjs";
import { Tag } from "liquidjs";
import { BoundedEmitter } from "../liquid/budget.ts";
import { parseBody } from "./body.ts";

/** `{% ifchanged %}…{% endifchanged %}`: its body, where that is not what such a tag showed last. */
export class IfChangedTag extends Tag {
  readonly #body: Template[];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.#body = parseBody(token, remaining, parser, "endifchanged");
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const shown = new BoundedEmitter();
    yield this.liquid.renderer.renderTemplates(this.#body, context, shown);
    if (context.getRegister<string | undefined>("ifchanged") === shown.buffer) return;
    context.setRegister("ifchanged", shown.buffer);
    emitter.write(shown.buffer);
  }
}

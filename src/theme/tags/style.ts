import type { Parser, TagToken, Template, TopLevelToken } from "liquidjs";
import { type Context, type Emitter, type Liquid, Tag } from "liquidjs";
import { parseBody } from "./body.ts";

/** `{% style %}…{% endstyle %}`: CSS with Liquid in it. */
export class StyleTag extends Tag {
  readonly #body: Template[];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.#body = parseBody(token, remaining, parser, "endstyle");
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    emitter.write("<style>");
    yield this.liquid.renderer.renderTemplates(this.#body, context, emitter);
    emitter.write("</style>");
  }
}

import type { Parser, TagToken, Template, TopLevelToken } from "liquidjs";
import { type Context, type Emitter, type Liquid, Tag } from "liquidjs";
import { type Block, dropBlanks, parseBranches } from "./body.ts";
import { chosen, type Loop, readLoop } from "./loop.ts";
import { advance, LoopDrop } from "./loop-drop.ts";

/** `{% for x in list limit: 3 offset: 1 reversed %}…{% else %}…{% endfor %}` */
export class ForTag extends Tag implements Block {
  readonly isBlank: boolean;
  readonly #loop: Loop;
  readonly #body: Template[];
  readonly #otherwise: Template[];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.#loop = readLoop(token);
    let hasElse = false;
    const bodies = parseBranches(token, remaining, parser, "endfor", {
      else: () => {
        const isFirst = !hasElse;
        hasElse = true;
        return isFirst;
      },
    });
    this.#body = bodies[0] ?? [];
    this.#otherwise = bodies[1] ?? [];
    this.isBlank = dropBlanks(bodies);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { renderer } = this.liquid;
    const { items } = yield* chosen(context, this.#loop);
    if (items.length === 0) {
      yield renderer.renderTemplates(this.#otherwise, context, emitter);
      return;
    }
    const parent: unknown = context.getSync(["forloop"]);
    const loop = new LoopDrop(items.length, this.#loop.name, parent instanceof LoopDrop ? { parent } : {});
    const scope: Record<string, unknown> = Object.assign(Object.create(null), { forloop: loop });
    context.push(scope);
    try {
      for (const item of items) {
        scope[this.#loop.variable] = item;
        context.breakCalled = false;
        context.continueCalled = false;
        yield renderer.renderTemplates(this.#body, context, emitter);
        if (context.breakCalled) break;
        loop[advance]();
      }
    } finally {
      context.breakCalled = false;
      context.continueCalled = false;
      context.pop();
    }
  }
}

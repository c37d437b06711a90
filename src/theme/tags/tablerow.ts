import type { Context, Emitter, Liquid, Parser, TagToken, Template, TopLevelToken } from "liquidjs";
import { Tag } from "liquidjs";
import { numeric } from "../filters/math.ts";
import { parseBody } from "./body.ts";
import { chosen, isGiven, type Loop, readLoop } from "./loop.ts";
import { advance, LoopDrop } from "./loop-drop.ts";

/** `{% tablerow x in list cols: 2 %}…{% endtablerow %}`: rows of a table, with their cells. */
export class TablerowTag extends Tag {
  readonly #loop: Loop;
  readonly #body: Template[];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.#loop = readLoop(token);
    this.#body = parseBody(token, remaining, parser, "endtablerow");
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { items, options } = yield* chosen(context, this.#loop);
    const wanted = isGiven(options.cols) ? Math.trunc(numeric(options.cols).number) : items.length;
    const columns = Math.max(1, wanted);
    const loop = new LoopDrop(items.length, this.#loop.name, { columns });
    const scope: Record<string, unknown> = Object.assign(Object.create(null), { tablerowloop: loop });
    context.push(scope);
    try {
      emitter.write('<tr class="row1">\n');
      for (const [index, item] of items.entries()) {
        const column = index % columns;
        if (index > 0 && column === 0) emitter.write(`</tr>\n<tr class="row${index / columns + 1}">`);
        scope[this.#loop.variable] = item;
        context.breakCalled = false;
        context.continueCalled = false;
        emitter.write(`<td class="col${column + 1}">`);
        yield this.liquid.renderer.renderTemplates(this.#body, context, emitter);
        emitter.write("</td>");
        if (context.breakCalled) break;
        loop[advance]();
      }
      emitter.write("</tr>\n");
    } finally {
      context.breakCalled = false;
      context.continueCalled = false;
      context.pop();
    }
  }
}

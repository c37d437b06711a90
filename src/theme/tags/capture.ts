import { type Context, CaptureTag as PlainCaptureTag } from "liquidjs";
import { BoundedEmitter } from "../liquid/budget.ts";
import type { Block } from "./body.ts";

/** `{% capture name %}…{% endcapture %}`, which holds 1 MB at most. */
export class CaptureTag extends PlainCaptureTag implements Block {
  readonly isBlank = true;

  override *render(context: Context): Generator<unknown, void, string> {
    const emitter = new BoundedEmitter();
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    context.memoryLimit.use(emitter.buffer.length);
    context.bottom()[this.variable] = emitter.buffer;
  }
}

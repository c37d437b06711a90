import { type Context, type Liquid, Tag, type TagToken, type TopLevelToken, toValue, type ValueToken } from "liquidjs";
import { evaluate } from "../liquid/evaluate.ts";
import { stateOf } from "../render-state.ts";

/** `{% layout 'name' %}` or `{% layout none %}` in a Liquid template: the layout the page is put in. */
export class LayoutTag extends Tag {
  readonly #name: ValueToken | undefined;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    this.#name = token.args.trim() === "none" ? undefined : this.tokenizer.readValueOrThrow();
  }

  override render(context: Context): void {
    const state = stateOf(context);
    if (this.#name === undefined) state.layout = false;
    else state.layout = String(toValue(evaluate(this.#name, context)));
  }
}

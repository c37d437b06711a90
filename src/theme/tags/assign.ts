import { type Context, type Liquid, Tag, type TagToken, type TopLevelToken, Value } from "liquidjs";
import type { Block } from "./body.ts";

/** `{% assign name = value | filter %}`. As in Ruby, what stands before the last word of the name means nothing (`{% assign the name = 1 %}`). */
export class AssignTag extends Tag implements Block {
  readonly isBlank = true;
  readonly #name: string;
  readonly #value: Value;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    const { tokenizer } = token;
    const { input, p: begin, N: end } = tokenizer;
    const sign = input.indexOf("=", begin);
    const [, name] = /([\w.[\]()-]+)\s*$/.exec(sign < 0 || sign >= end ? "" : input.slice(begin, sign)) ?? [];
    if (name === undefined) throw new Error(`${token.getText()}: write {% assign name = value %}`);
    this.#name = name;
    tokenizer.p = sign + 1;
    this.#value = new Value(tokenizer.readFilteredValue(), liquid);
  }

  override *render(context: Context): Generator<unknown, void, unknown> {
    context.bottom()[this.#name] = yield this.#value.value(context, false);
  }
}

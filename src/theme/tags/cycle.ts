import {
  type Context,
  type Emitter,
  type Liquid,
  Tag,
  type TagToken,
  type TopLevelToken,
  type ValueToken,
} from "liquidjs";
import { textOf } from "../filters/filter.ts";
import { evaluate } from "../liquid/evaluate.ts";

/** `{% cycle 'odd', 'even' %}`: the next of its values each time; tags of one name (`{% cycle 'rows': 1, 2 %}`) share the count. */
export class CycleTag extends Tag {
  readonly #name: ValueToken | undefined;
  readonly #values: readonly ValueToken[];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    const { tokenizer } = token;
    const values: ValueToken[] = [];
    let name: ValueToken | undefined;
    while (!tokenizer.end()) {
      const value = tokenizer.readValue();
      if (value === undefined) break;
      tokenizer.skipBlank();
      if (tokenizer.peek() === ":" && values.length === 0 && name === undefined) name = value;
      else values.push(value);
      tokenizer.advance();
    }
    if (values.length === 0) throw new Error(`${token.getText()}: write {% cycle 'one', 'other' %}`);
    this.#name = name;
    this.#values = values;
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const name =
      this.#name === undefined
        ? this.#values.map((value) => value.getText()).join()
        : `: ${textOf(evaluate(this.#name, context))}`;
    const counts = context.getRegister("cycle", new Map<string, number>());
    const count = counts.get(name) ?? 0;
    const value = this.#values[count];
    counts.set(name, count + 1 >= this.#values.length ? 0 : count + 1);
    if (value !== undefined) emitter.write(evaluate(value, context));
  }
}

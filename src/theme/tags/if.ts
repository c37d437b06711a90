import type { Parser, TagToken, Template, TopLevelToken } from "liquidjs";
import { type Context, type Emitter, isTruthy, type Liquid, Tag, toValue, Value } from "liquidjs";
import { unknownOperator } from "../liquid/lax.ts";
import { type Block, dropBlanks, parseBranches } from "./body.ts";

/** `{% if a %}…{% elsif b %}…{% else %}…{% endif %}`; what stands after the first `else` but its body means nothing. */
export class IfTag extends Tag implements Block {
  readonly isBlank: boolean;
  /** One a branch; undefined: `else`. */
  readonly #conditions: readonly (Value | undefined)[];
  readonly #bodies: readonly Template[][];
  /** Stands in one of the conditions in the place of an operator. */
  #unknown: string | undefined;
  protected readonly wanted: boolean = true;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    const conditions: (Value | undefined)[] = [this.#read(token)];
    const isOpen = (): boolean => conditions.at(-1) !== undefined;
    this.#bodies = parseBranches(token, remaining, parser, `end${token.name}`, {
      elsif: (branch) => isOpen() && conditions.push(this.#read(branch)) > 0,
      else: () => isOpen() && conditions.push(undefined) > 0,
    });
    this.#conditions = conditions;
    this.isBlank = dropBlanks(this.#bodies);
  }

  #read(token: TagToken): Value {
    this.#unknown ??= unknownOperator(token.args);
    return new Value(token.tokenizer.readFilteredValue(), this.liquid);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    if (this.#unknown !== undefined) throw new Error(`unknown operator ${this.#unknown}`);
    for (const [index, condition] of this.#conditions.entries()) {
      const isMet =
        condition === undefined ||
        isTruthy(toValue(yield condition.value(context, false)), context) === (index > 0 || this.wanted);
      if (!isMet) continue;
      yield this.liquid.renderer.renderTemplates(this.#bodies[index] as Template[], context, emitter);
      return;
    }
  }
}

/** `{% unless a %}…{% endunless %}`: the first condition is turned round, those of `elsif` are not. */
export class UnlessTag extends IfTag {
  protected override readonly wanted = false;
}

import type { Parser, TagToken, Template, TopLevelToken, ValueToken } from "liquidjs";
import { type Context, type Emitter, type Liquid, Tag, Value } from "liquidjs";
import { evaluate } from "../liquid/evaluate.ts";
import { isEqual } from "../liquid/operators.ts";
import { type Block, dropBlanks, parseBranches } from "./body.ts";

/** `{% case x %}{% when 1, 2 or 3 %}…{% else %}…{% endcase %}`: every value that fits shows its branch, `else` where none did. */
export class CaseTag extends Tag implements Block {
  readonly isBlank: boolean;
  readonly #subject: Value;
  /** One a branch; undefined: `else`. The first body stands before any branch and is never shown. */
  readonly #values: readonly (readonly ValueToken[] | undefined)[];
  readonly #bodies: readonly Template[][];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.#subject = new Value(token.tokenizer.readFilteredValue(), liquid);
    const values: (readonly ValueToken[] | undefined)[] = [];
    const [, ...bodies] = parseBranches(token, remaining, parser, "endcase", {
      when: (branch) => values.push(readValues(branch)) > 0,
      else: () => values.push(undefined) > 0,
    });
    this.#values = values;
    this.#bodies = bodies;
    this.isBlank = dropBlanks(bodies);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const subject = yield this.#subject.value(context, false);
    let isFound = false;
    for (const [index, values] of this.#values.entries()) {
      if (values === undefined && isFound) continue;
      const body = this.#bodies[index] as Template[];
      if (values === undefined) yield this.liquid.renderer.renderTemplates(body, context, emitter);
      for (const value of values ?? []) {
        if (!isEqual(subject, evaluate(value, context))) continue;
        isFound = true;
        yield this.liquid.renderer.renderTemplates(body, context, emitter);
      }
    }
  }
}

/** `1, 2 or 3` */
function readValues({ tokenizer }: TagToken): ValueToken[] {
  const values: ValueToken[] = [];
  while (!tokenizer.end()) {
    const value = tokenizer.readValue();
    if (value !== undefined) values.push(value);
    tokenizer.skipBlank();
    if (tokenizer.peek() === ",") tokenizer.advance();
    else if (tokenizer.readIdentifier().content !== "or") break;
  }
  return values;
}

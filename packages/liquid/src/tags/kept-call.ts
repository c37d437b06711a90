import type { Context, Partial } from "../context.ts";
import type { Written } from "../output.ts";
import type { Arguments } from "./snippet-call.ts";

/** One place that renders a snippet, with what the snippet wrote last: given the same texts and numbers again, one that looks at nothing else writes the
 *  same. Themes draw their icons so. */
export class KeptCall {
  readonly #args: Arguments;
  /** Those that are the same each time. */
  readonly #fixed: readonly unknown[] | undefined;
  #last: Call | undefined;
  #misses = 0;

  /** @param fixed the values of all arguments, where none is worked out anew */
  constructor(args: Arguments, fixed: readonly unknown[] | undefined) {
    this.#args = args;
    this.#fixed = fixed;
  }

  /** Such a call is still worth looking for. */
  get mayRepeat(): boolean {
    return this.#misses < MAX_MISSES;
  }

  render(context: Context, partial: Partial): void {
    const last = this.#last;
    const values = this.#fixed ?? this.#args.map(([, value]) => value(context));
    if (last?.partial === partial && (values === this.#fixed || isSame(values, last.values))) {
      this.#misses = 0;
      context.repeat(last.written);
      return;
    }
    this.#misses += 1;
    const inner = context.isolated();
    for (const [index, [name]] of this.#args.entries()) inner.assign(name, values[index]);
    if (!values.every(isPlain)) {
      this.#misses = MAX_MISSES;
      context.renderPartial(partial, inner);
      return;
    }
    const written = context.record(partial, inner);
    if (written === undefined || written.text.length > MAX_LENGTH) this.#misses = MAX_MISSES;
    else this.#last = { partial, values, written };
  }
}

interface Call {
  readonly partial: Partial;
  readonly values: readonly unknown[];
  readonly written: Written;
}

/** Calls in a row whose arguments differ from those of the call before; after so many, the place renders its snippet without looking for a repetition. */
const MAX_MISSES = 8;
/** Characters that are kept of one place; icons have some hundred. */
const MAX_LENGTH = 8_192;

/** What is the same whenever it is equal. */
function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function isSame(values: readonly unknown[], others: readonly unknown[]): boolean {
  for (let index = 0; index < values.length; index += 1) if (values[index] !== others[index]) return false;
  return true;
}

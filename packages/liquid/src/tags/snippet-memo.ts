import type { Context, Snippet } from "../context.ts";
import type { Written } from "../output.ts";
import type { Arguments } from "./snippet-call.ts";

/**
 * Caches the last output of one call of a snippet. A snippet that reads only its arguments prints the same output for
 * the same strings and numbers, such as an icon.
 */
export class SnippetMemo {
  readonly #args: Arguments;
  /** Values of the arguments if all of them are literals. */
  readonly #fixed: readonly unknown[] | undefined;
  #last: Call | undefined;
  #misses = 0;

  /** Creates a cache for one call.  @param fixed values of the arguments if all of them are literals */
  constructor(args: Arguments, fixed: readonly unknown[] | undefined) {
    this.#args = args;
    this.#fixed = fixed;
  }

  /** Whether the call is still cached. */
  get mayRepeat(): boolean {
    return this.#misses < MAX_MISSES;
  }

  render(context: Context, partial: Snippet): void {
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
  readonly partial: Snippet;
  readonly values: readonly unknown[];
  readonly written: Written;
}

/** Number of consecutive calls with changed arguments after which the call is no longer cached. */
const MAX_MISSES = 8;
/** Maximum length of a cached output in characters. Icons have a few hundred. */
const MAX_LENGTH = 8_192;

/** Returns whether a value is compared by its content, unlike an object. */
function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function isSame(values: readonly unknown[], others: readonly unknown[]): boolean {
  for (let index = 0; index < values.length; index += 1) if (values[index] !== others[index]) return false;
  return true;
}

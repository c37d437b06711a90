import type { Context, Snippet } from "../context.ts";
import type { RecordedOutput } from "../output.ts";
import type { CompiledArguments } from "./snippet-call.ts";

/**
 * Caches the last output of one call of a snippet. A snippet that reads only its arguments prints the same output for
 * the same strings and numbers, such as an icon.
 */
export class SnippetMemo {
  readonly #args: CompiledArguments;
  /** Values of the arguments if all of them are literals. */
  readonly #literalValues: readonly unknown[] | undefined;
  #lastCall: CachedCall | undefined;
  #misses = 0;

  /** Creates a cache for one call.  @param literalValues values of the arguments if all of them are literals */
  constructor(args: CompiledArguments, literalValues: readonly unknown[] | undefined) {
    this.#args = args;
    this.#literalValues = literalValues;
  }

  /** Whether the call is still cached. */
  get isCacheable(): boolean {
    return this.#misses < MAX_MISSES;
  }

  render(context: Context, snippet: Snippet): void {
    const lastCall = this.#lastCall;
    const values = this.#literalValues ?? this.#args.map(([, value]) => value(context));
    if (lastCall?.snippet === snippet && (values === this.#literalValues || isSameList(values, lastCall.values))) {
      this.#misses = 0;
      context.replay(lastCall.output);
      return;
    }
    this.#misses += 1;
    const innerContext = context.createIsolated();
    for (const [index, [name]] of this.#args.entries()) innerContext.assign(name, values[index]);
    if (!values.every(isPrimitive)) {
      this.#misses = MAX_MISSES;
      context.renderSnippet(snippet, innerContext);
      return;
    }
    const output = context.record(snippet, innerContext);
    if (output === undefined || output.text.length > MAX_LENGTH) this.#misses = MAX_MISSES;
    else this.#lastCall = { snippet, values, output };
  }
}

interface CachedCall {
  readonly snippet: Snippet;
  readonly values: readonly unknown[];
  readonly output: RecordedOutput;
}

/** Number of consecutive calls with changed arguments after which the call is no longer cached. */
const MAX_MISSES = 8;
/** Maximum length of a cached output in characters. Icons have a few hundred. */
const MAX_LENGTH = 8_192;

/** Returns whether a value is compared by its content, unlike an object. */
function isPrimitive(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function isSameList(values: readonly unknown[], otherValues: readonly unknown[]): boolean {
  for (let index = 0; index < values.length; index += 1) if (values[index] !== otherValues[index]) return false;
  return true;
}

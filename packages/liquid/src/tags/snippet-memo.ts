import type { Context, Snippet } from "../context.ts";
import type { RecordedOutput } from "../output.ts";
import type { CompiledArguments } from "./snippet-call.ts";

/**
 * Caches the output of a `render` tag for its last arguments. A snippet that reads only its arguments, such as an icon,
 * prints the same output again for the same strings and numbers.
 */
export class SnippetMemo {
  readonly #args: CompiledArguments;
  /** Values of the arguments, if all of them are literals. */
  readonly #literalValues: readonly unknown[] | undefined;
  #lastCall: CachedSnippet | undefined;
  #missCount = 0;

  /**
   * Creates the cache of one `render` tag.  @param literalValues values of the arguments if all of them are literals
   */
  constructor(args: CompiledArguments, literalValues: readonly unknown[] | undefined) {
    this.#args = args;
    this.#literalValues = literalValues;
  }

  /**
   * Whether the tag's output is cached. False after too many consecutive cache misses, or if the arguments or the
   * output cannot be cached.
   */
  get isCacheable(): boolean {
    return this.#missCount < MAX_CONSECUTIVE_MISSES;
  }

  render(context: Context, snippet: Snippet): void {
    const previousCall = this.#lastCall;
    const values = this.#literalValues ?? this.#args.map(([, value]) => value(context));
    if (
      previousCall?.snippet === snippet &&
      (values === this.#literalValues || isSameList(values, previousCall.values))
    ) {
      this.#missCount = 0;
      context.replay(previousCall.output);
      return;
    }
    this.#missCount += 1;
    const snippetContext = context.createIsolated();
    for (const [index, [name]] of this.#args.entries()) snippetContext.assign(name, values[index]);
    if (!values.every(isPrimitive)) {
      this.#missCount = MAX_CONSECUTIVE_MISSES;
      context.renderSnippet(snippet, snippetContext);
      return;
    }
    const output = context.record(snippet, snippetContext);
    if (output === undefined || output.text.length > MAX_OUTPUT_LENGTH) this.#missCount = MAX_CONSECUTIVE_MISSES;
    else this.#lastCall = { snippet, values, output };
  }
}

interface CachedSnippet {
  readonly snippet: Snippet;
  readonly values: readonly unknown[];
  readonly output: RecordedOutput;
}

/** Number of consecutive cache misses after which the tag's output is no longer cached. */
const MAX_CONSECUTIVE_MISSES = 8;
/** Maximum length of a cached output in characters. An icon has a few hundred characters. */
const MAX_OUTPUT_LENGTH = 8_192;

/** Returns whether a value can be compared with `===`: strings, numbers, and booleans, but not objects. */
function isPrimitive(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function isSameList(values: readonly unknown[], otherValues: readonly unknown[]): boolean {
  for (let index = 0; index < values.length; index += 1) if (values[index] !== otherValues[index]) return false;
  return true;
}

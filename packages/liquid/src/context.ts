import {
  addLocation,
  isStackOverflow,
  LiquidError,
  locationOf,
  type TemplateLocation,
  type TemplateSource,
} from "./errors.ts";
import { defaultLimits, type Limits, type Meter, unlimitedMeter } from "./limits.ts";
import { Output, type RecordedOutput } from "./output.ts";
import type { ForLoop } from "./tags/loop-drop.ts";
import { Drop } from "./values/drop.ts";
import { toItemList } from "./values/items.ts";
import { Range } from "./values/range.ts";
import { textOf } from "./values/text.ts";
import { VariablesDrop } from "./values/variables-drop.ts";

/** A template that another template renders with `render` or `include`. */
export interface Snippet extends TemplateSource {
  readonly renderInto: (context: Context) => void;
}

/** Variables that the program provides to a template. */
export type Globals = Drop | Readonly<Record<string, unknown>>;

export interface RenderOptions<State = unknown> {
  readonly globals?: Globals;
  /** Returns whether a global variable with this name may exist. Default: always true. */
  readonly isGlobal?: (name: string) => boolean;
  readonly meter?: Meter;
  readonly limits?: Partial<Limits>;
  /** Returns the template for `render` and `include`, or undefined if it does not exist. */
  readonly partial?: (name: string, context: Context) => Snippet | undefined;
  /**
   * Handles the error of a tag or output that failed.
   * @param node the failed tag or output; the same object in every render of the template
   * @returns text to print in its place
   */
  readonly onError?: (error: LiquidError, node: object) => string;
  /** Receives problems that do not stop the render, such as an unknown filter or an invalid argument. */
  readonly onWarning?: (warning: LiquidError) => void;
  /** Returns the items that a `for` loop iterates over, so that pagination can limit them to one page. */
  readonly loopItems?: (items: readonly unknown[]) => readonly unknown[];
  /** Time of "now" in milliseconds since 1970. Default: the current time. */
  readonly now?: number;
  /** Time zone (an IANA name) and language (a BCP 47 tag) of dates. Default: UTC and English. */
  readonly timeZone?: string;
  readonly locale?: string;
  /** Data of the application for its own tags and filters. */
  readonly state?: State;
}

/** Set by the tags `break` and `continue`. The rest of the loop's body is then skipped. */
export type Interrupt = "none" | "break" | "continue";

/** State of a render: output, variables, and limits. */
export class Context {
  interrupt: Interrupt = "none";
  /** The template that is being rendered. */
  source: TemplateSource;
  /** Whether `include` is forbidden. */
  readonly isIsolated: boolean;
  /** The innermost loop, or undefined outside loops. */
  loop: ForLoop | undefined;
  readonly limits: Limits;
  readonly meter: Meter;
  /** Current nesting depth of `render` and `include`. */
  depth: number;
  /** Offset of the current filter in the source. */
  filterOffset = 0;
  readonly #options: RenderOptions;
  readonly #output: Output;
  // Created on first use, since most snippets set no variables.
  #locals: Map<string, unknown> | undefined;
  #assignedValues: Map<string, unknown> | undefined;
  #registers: Map<unknown, unknown> | undefined;
  #counters: Map<string, number> | undefined;
  #variablesDrop: Drop | undefined;

  constructor(source: TemplateSource, options: RenderOptions, parent?: Context, allowsInclude = false) {
    this.source = source;
    this.#options = options;
    this.limits = parent?.limits ?? { ...defaultLimits, ...options.limits };
    this.meter = options.meter ?? unlimitedMeter;
    this.depth = parent?.depth ?? 0;
    this.isIsolated = parent !== undefined && !allowsInclude;
    this.#output = parent === undefined ? new Output(this.limits.output) : parent.#output;
  }

  get options(): RenderOptions {
    this.#output.accessCount += 1;
    return this.#options;
  }

  /** Returns a context with the same output but no variables.  @param allowsInclude whether `include` is allowed */
  createIsolated(allowsInclude = false): Context {
    return new Context(this.source, this.#options, this, allowsInclude);
  }

  /** Variables of loops, snippets, and tags with a body. */
  get locals(): Map<string, unknown> {
    this.#locals ??= new Map();
    return this.#locals;
  }

  /** Storage that tags use to share state within one render. */
  get registers(): Map<unknown, unknown> {
    this.#registers ??= new Map();
    return this.#registers;
  }

  get output(): string {
    return this.#output.text;
  }

  write(text: string): void {
    this.#output.write(text);
  }

  /** Writes a value as `{{ value }}` prints it. */
  print(value: unknown): void {
    if (typeof value === "string") this.write(value);
    else if (Array.isArray(value)) for (const item of value) this.print(item);
    else if (value !== undefined && value !== null) this.write(textOf(value));
  }

  /** Runs `render` and returns its output instead of writing it. */
  capture(render: (context: Context) => void): string {
    return this.#output.capture(this.limits.characters, () => {
      render(this);
      this.meter.use(1 + (this.output.length >> 6));
    });
  }

  /** Returns the value of a variable; undefined or null for nil. */
  readVariable(name: string): unknown {
    if (this.#locals !== undefined) {
      const localValue = this.#locals.get(name);
      if (localValue !== undefined) return localValue;
    }
    if (this.#assignedValues !== undefined) {
      const value = this.#assignedValues.get(name);
      if (value !== undefined) return value;
    }
    return this.#readGlobal(name) ?? (name === "self" ? this.#getVariablesDrop() : undefined);
  }

  /** Sets a variable, as the tag `assign` does. */
  assign(name: string, value: unknown): void {
    this.#assignedValues ??= new Map();
    this.#assignedValues.set(name, value ?? null);
  }

  /** Calls `render` with a temporary local variable. */
  withLocal(name: string, value: unknown, render: () => void): void {
    const previousValue = this.locals.get(name);
    this.locals.set(name, value ?? null);
    try {
      render();
    } finally {
      this.restoreLocal(name, previousValue);
    }
  }

  /**
   * Restores a local variable after a loop or a snippet.
   * @param previousValue previous value in `locals`; undefined if it was not set
   */
  restoreLocal(name: string, previousValue: unknown): void {
    if (previousValue === undefined) this.locals.delete(name);
    else this.locals.set(name, previousValue);
  }

  /** Adds to a counter. Counters are separate from variables.  @returns the previous value */
  addToCounter(name: string, amount: number): number {
    this.#counters ??= new Map();
    const previousCount = this.#counters.get(name) ?? 0;
    this.#counters.set(name, previousCount + amount);
    return previousCount;
  }

  /** Renders a snippet inside this template.  @throws LiquidError if snippets are nested too deeply */
  renderSnippet(snippet: Snippet, context: Context): void {
    const { source, depth } = context;
    context.source = snippet;
    context.depth = depth + 1;
    try {
      context.#checkDepth();
      snippet.renderInto(context);
    } finally {
      context.source = source;
      context.depth = depth;
    }
  }

  /**
   * Renders a snippet and records its output, so that `replay` can print it again.
   * @returns undefined if the output depends on more than the snippet's arguments
   */
  record(snippet: Snippet, context: Context): RecordedOutput | undefined {
    return this.#output.record(this.meter, () => this.renderSnippet(snippet, context));
  }

  /** Prints the recorded output of a snippet.  @throws LiquidError if a limit is exceeded, as in a real render */
  replay({ text, steps }: RecordedOutput): void {
    this.depth += 1;
    try {
      this.#checkDepth();
    } finally {
      this.depth -= 1;
    }
    this.meter.use(steps);
    this.write(text);
  }

  /** Returns a template for `render` and `include`.  @throws LiquidError if it does not exist */
  partial(name: string): Snippet {
    const snippet = this.options.partial?.(name, this);
    if (snippet === undefined) throw new LiquidError("render", `Could not find asset ${name}`);
    return snippet;
  }

  /** Converts a value to a list for filters.  @throws LiquidError if the list is too long */
  toList(value: unknown): readonly unknown[] {
    const { items } = this.limits;
    const list = toItemList(value, items + 1);
    if (list.length > items) throw new LiquidError("limit", `a list of more than ${items} items`);
    return list;
  }

  /**
   * Returns how many steps a value adds to the work of a render: 1, plus 1 per list item or per 64 characters.
   * @throws LiquidError if the value is too long
   */
  weigh(value: unknown): number {
    if (typeof value === "string") {
      if (value.length > this.limits.characters)
        throw new LiquidError("limit", `a text of more than ${this.limits.characters} characters`);
      return 1 + (value.length >> 6);
    }
    if (typeof value === "bigint") return 1 + (value.toString(16).length >> 6);
    if (!Array.isArray(value)) return value instanceof Range ? 1 + Math.min(value.size, this.limits.items) : 1;
    if (value.length > this.limits.items)
      throw new LiquidError("limit", `a list of more than ${this.limits.items} items`);
    return 1 + value.length;
  }

  /** Checks the length of a string before a filter creates it.  @throws LiquidError if the string would be too long */
  checkLength(characterCount: number): void {
    if (characterCount > this.limits.characters)
      throw new LiquidError("limit", `a text of more than ${this.limits.characters} characters`);
  }

  /** Concatenates two strings.  @throws LiquidError if the result would be too long */
  concatenate(left: string, right: string): string {
    this.checkLength(left.length + right.length);
    return left + right;
  }

  /**
   * Passes the error of a tag or output to `onError`, and prints the text that it returns. Default: the error message.
   * @throws LiquidError with its location if the error is an exceeded limit
   */
  handleError(error: unknown, node: { readonly at: number; readonly isBlank: boolean }): void {
    const cause = isStackOverflow(error) ? new LiquidError("limit", "values are nested too deeply") : error;
    const locatedError = addLocation(cause, this.locationOf(node.at));
    if (LiquidError.is(cause, "limit")) throw locatedError;
    const replacement = this.options.onError?.(locatedError, node) ?? `Liquid error: ${locatedError.detail}`;
    if (!node.isBlank) this.write(replacement);
  }

  /** Reports an invalid argument that a filter ignored. */
  warn(detail: string): void {
    this.options.onWarning?.(new LiquidError("render", detail, this.locationOf(this.filterOffset)));
  }

  locationOf(offset: number): TemplateLocation {
    return locationOf(this.source.text, offset, this.source.name);
  }

  #checkDepth(): void {
    const { depth } = this.limits;
    if (this.depth > depth) throw new LiquidError("limit", `snippets are nested more than ${depth} levels deep`);
  }

  #readGlobal(name: string): unknown {
    const counter = this.#counters?.get(name);
    if (counter !== undefined) return counter;
    const { globals, isGlobal } = this.#options;
    const output = this.#output;
    if (output.isRecording && isGlobal?.(name) !== false) output.accessCount += 1;
    if (globals instanceof Drop) return globals.field(name);
    return globals !== undefined && Object.hasOwn(globals, name) ? globals[name] : undefined;
  }

  #getVariablesDrop(): Drop {
    this.#variablesDrop ??= new VariablesDrop((name) => this.readVariable(name));
    return this.#variablesDrop;
  }
}

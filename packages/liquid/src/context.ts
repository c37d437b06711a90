import { isStackOverflow, LiquidError, placeOf, type Source, type TemplateLocation, withLocation } from "./errors.ts";
import { defaultLimits, type Limits, type Meter, unlimited } from "./limits.ts";
import { Output, type Written } from "./output.ts";
import type { ForLoop } from "./tags/loop-drop.ts";
import { Drop } from "./values/drop.ts";
import { listOf } from "./values/items.ts";
import { Range } from "./values/range.ts";
import { textOf } from "./values/text.ts";
import { VariablesDrop } from "./values/variables-drop.ts";

/** A template that another one includes. */
export interface Snippet extends Source {
  readonly renderInto: (context: Context) => void;
}

/** Variables that the program provides. */
export type Globals = Drop | Readonly<Record<string, unknown>>;

export interface RenderOptions<State = unknown> {
  readonly globals?: Globals;
  /** Returns whether a global variable can have this name. Default: every name is possible. */
  readonly isGlobal?: (name: string) => boolean;
  readonly meter?: Meter;
  readonly limits?: Partial<Limits>;
  /** Returns the template for `render` and `include`.  @throws Error if it does not exist */
  readonly partial?: (name: string, context: Context) => Snippet;
  /**
   * Receives the error of a part that failed.
   * @param node the same object at every render of the template
   * @returns text in place of the part
   */
  readonly onError?: (error: LiquidError, node: object) => string;
  /** Receives problems that are skipped: an unknown filter, an invalid argument. */
  readonly onWarning?: (warning: LiquidError) => void;
  /** Returns the items that a loop shows, if it shows only a part of the list. */
  readonly loopItems?: (items: readonly unknown[]) => readonly unknown[];
  /** Current time in milliseconds since 1970; time zone as IANA name; locale as BCP 47 tag. */
  readonly now?: number;
  readonly timeZone?: string;
  readonly locale?: string;
  /** State of the program, for its tags and filters. */
  readonly state?: State;
}

/** Skips the following nodes up to the end of the enclosing loop. */
export type Interrupt = "none" | "break" | "continue";

/** State of a render: output, variables, limits. */
export class Context {
  interrupt: Interrupt = "none";
  /** The current template. */
  source: Source;
  /** Whether `include` is not allowed. */
  readonly isIsolated: boolean;
  /** The innermost loop. */
  loop: ForLoop | undefined;
  readonly limits: Limits;
  readonly meter: Meter;
  /** Nesting depth of `render` and `include`. */
  depth: number;
  /** Offset of the current filter in the source. */
  filterAt = 0;
  readonly #options: RenderOptions;
  readonly #output: Output;
  // Created on first write, since most snippets need none.
  #locals: Map<string, unknown> | undefined;
  #assigned: Map<string, unknown> | undefined;
  #registers: Map<unknown, unknown> | undefined;
  #counters: Map<string, number> | undefined;
  #self: Drop | undefined;

  constructor(source: Source, options: RenderOptions, around?: Context, mayInclude = false) {
    this.source = source;
    this.#options = options;
    this.limits = around?.limits ?? { ...defaultLimits, ...options.limits };
    this.meter = options.meter ?? unlimited;
    this.depth = around?.depth ?? 0;
    this.isIsolated = around !== undefined && !mayInclude;
    this.#output = around === undefined ? new Output(this.limits.output) : around.#output;
  }

  get options(): RenderOptions {
    this.#output.accessCount += 1;
    return this.#options;
  }

  /**
   * Returns a context without this one's variables that writes to the same output.
   * @param mayInclude whether `include` is allowed, as in a separate file
   */
  isolated(mayInclude = false): Context {
    return new Context(this.source, this.#options, this, mayInclude);
  }

  /**
   * Variables of loops, snippets and other tags that define variables for their body. Nil is null; undefined means
   * missing.
   */
  get locals(): Map<string, unknown> {
    this.#locals ??= new Map();
    return this.#locals;
  }

  /** State that tags store between two places of a template. */
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

  /** Writes `{{ value }}`. */
  print(value: unknown): void {
    if (typeof value === "string") this.write(value);
    else if (Array.isArray(value)) for (const item of value) this.print(item);
    else if (value !== undefined && value !== null) this.write(textOf(value));
  }

  /** Returns the output of `render` instead of writing it. */
  capture(render: (context: Context) => void): string {
    return this.#output.capture(this.limits.characters, () => {
      render(this);
      this.meter.use(1 + (this.output.length >> 6));
    });
  }

  /** Returns undefined or null for nil. */
  variable(name: string): unknown {
    if (this.#locals !== undefined) {
      const local = this.#locals.get(name);
      if (local !== undefined) return local;
    }
    if (this.#assigned !== undefined) {
      const value = this.#assigned.get(name);
      if (value !== undefined) return value;
    }
    return this.#global(name) ?? (name === "self" ? this.#selfDrop() : undefined);
  }

  /** Sets a variable, for `assign`. */
  assign(name: string, value: unknown): void {
    this.#assigned ??= new Map();
    this.#assigned.set(name, value ?? null);
  }

  /** Renders with a variable that exists during the render only. */
  withLocal(name: string, value: unknown, render: () => void): void {
    const outer = this.locals.get(name);
    this.locals.set(name, value ?? null);
    try {
      render();
    } finally {
      this.restore(name, outer);
    }
  }

  /** @param outer previous value in `locals`; undefined if it was not set */
  restore(name: string, outer: unknown): void {
    if (outer === undefined) this.locals.delete(name);
    else this.locals.set(name, outer);
  }

  /** Adds to a counter; counters are separate from variables.  @returns the previous value */
  count(name: string, by: number): number {
    this.#counters ??= new Map();
    const before = this.#counters.get(name) ?? 0;
    this.#counters.set(name, before + by);
    return before;
  }

  /** Renders a snippet inside this template.  @throws LiquidError if snippets are nested too deep */
  renderPartial(partial: Snippet, context: Context): void {
    const { source, depth } = context;
    context.source = partial;
    context.depth = depth + 1;
    try {
      context.#checkDepth();
      partial.renderInto(context);
    } finally {
      context.source = source;
      context.depth = depth;
    }
  }

  /**
   * Renders a snippet like `renderPartial`.
   * @returns its output if the output depends only on the snippet's variables, else undefined
   */
  record(partial: Snippet, context: Context): Written | undefined {
    return this.#output.record(this.meter, () => this.renderPartial(partial, context));
  }

  /** Writes an earlier output of a snippet again.  @throws LiquidError like a render */
  repeat({ text, steps }: Written): void {
    this.depth += 1;
    try {
      this.#checkDepth();
    } finally {
      this.depth -= 1;
    }
    this.meter.use(steps);
    this.write(text);
  }

  partial(name: string): Snippet {
    if (this.options.partial === undefined)
      throw new LiquidError("render", "This liquid context does not allow includes.");
    return this.options.partial(name, this);
  }

  /** Returns a list for filters.  @throws LiquidError if it is too long */
  list(value: unknown): readonly unknown[] {
    const { items } = this.limits;
    const list = listOf(value, items + 1);
    if (list.length > items) throw new LiquidError("limit", `a list of more than ${items} items`);
    return list;
  }

  /** Returns the steps that a value costs the filter that reads or returns it.  @throws LiquidError if it is too long */
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

  /** Called before a filter creates a long string.  @throws LiquidError if it is too long */
  reserve(characters: number): void {
    if (characters > this.limits.characters)
      throw new LiquidError("limit", `a text of more than ${this.limits.characters} characters`);
  }

  /** @throws LiquidError if the result is too long */
  joined(left: string, right: string): string {
    this.reserve(left.length + right.length);
    return left + right;
  }

  /**
   * Handles the failure of a part: the error handler may return text in its place.
   * @throws LiquidError unchanged, with its location
   */
  fail(error: unknown, node: { readonly at: number; readonly isBlank: boolean }): void {
    const isLimit = LiquidError.is(error, "limit") || isStackOverflow(error);
    const cause =
      isLimit && !LiquidError.is(error, "limit") ? new LiquidError("limit", "values in one another too deep") : error;
    const located = withLocation(cause, this.placeOf(node.at));
    if (isLimit) throw located;
    const shown = this.options.onError?.(located, node) ?? `Liquid error: ${located.detail}`;
    if (!node.isBlank) this.write(shown);
  }

  /** Reports an invalid argument that a filter ignores. */
  warn(detail: string): void {
    this.options.onWarning?.(new LiquidError("render", detail, this.placeOf(this.filterAt)));
  }

  placeOf(offset: number): TemplateLocation {
    return placeOf(this.source.text, offset, this.source.name);
  }

  #checkDepth(): void {
    const { depth } = this.limits;
    if (this.depth > depth) throw new LiquidError("limit", `snippets render one another more than ${depth} deep`);
  }

  #global(name: string): unknown {
    const counter = this.#counters?.get(name);
    if (counter !== undefined) return counter;
    const { globals, isGlobal } = this.#options;
    const output = this.#output;
    if (output.isRecorded && isGlobal?.(name) !== false) output.accessCount += 1;
    if (globals instanceof Drop) return globals.field(name);
    return globals !== undefined && Object.hasOwn(globals, name) ? globals[name] : undefined;
  }

  #selfDrop(): Drop {
    this.#self ??= new VariablesDrop((name) => this.variable(name));
    return this.#self;
  }
}

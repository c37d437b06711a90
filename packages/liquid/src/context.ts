import { atPlace, LimitError, type LiquidError, type Place, placeOf, RenderFault } from "./errors.ts";
import { defaultLimits, type Limits, type Meter, unlimited } from "./limits.ts";
import { Output, type Written } from "./output.ts";
import type { ForLoop } from "./tags/loop-drop.ts";
import { Drop } from "./values/drop.ts";
import { listOf } from "./values/items.ts";
import { Range } from "./values/range.ts";
import { textOf } from "./values/text.ts";

/** The text of a template, for messages. */
export interface Source {
  /** Empty: it has none. */
  readonly name: string;
  readonly text: string;
}

/** A template that another one brings in. */
export interface Partial extends Source {
  readonly render: (context: Context) => void;
}

/** Variables of the program. */
export type Globals = Drop | Readonly<Record<string, unknown>>;

export interface RenderOptions<State = unknown> {
  readonly globals?: Globals;
  /** Whether a variable of the program may ever have this name; absent: any may. */
  readonly isGlobal?: (name: string) => boolean;
  readonly meter?: Meter;
  readonly limits?: Limits;
  /** The template of `render` and `include`. @throws where there is none */
  readonly partial?: (name: string, context: Context) => Partial;
  /** Told of a part that failed. @returns what is shown in its place  @param node the same one at every render of the template */
  readonly onFault?: (fault: LiquidError, node: object) => string;
  /** Told of what is passed over: a filter that nobody knows, an argument that means nothing. */
  readonly onWarning?: (warning: LiquidError) => void;
  /** What loops show of a list, where that is not all of it. */
  readonly loopItems?: (items: readonly unknown[]) => readonly unknown[];
  /** Of dates: milliseconds since 1970, an IANA name, and a BCP 47 one. */
  readonly now?: number;
  readonly timeZone?: string;
  readonly locale?: string;
  /** The program's own, for its tags and filters. */
  readonly state?: State;
}

/** What stops the nodes that follow, up to the loop around. */
export type Interrupt = "none" | "break" | "continue";

/** The state of a render: output, variables, what may still be used. */
export class Context {
  interrupt: Interrupt = "none";
  /** The template that is being rendered. */
  source: Source;
  /** `include` is not allowed in it. */
  readonly isIsolated: boolean;
  /** The innermost loop. */
  loop: ForLoop | undefined;
  readonly limits: Limits;
  readonly meter: Meter;
  /** `render` and `include` around. */
  depth: number;
  /** Where the filter stands in the source that is being applied. */
  filterAt = 0;
  readonly #options: RenderOptions;
  readonly #output: Output;
  // Most snippets need none of these: they are made when they are first written to.
  #locals: Map<string, unknown> | undefined;
  #assigned: Map<string, unknown> | undefined;
  #registers: Map<unknown, unknown> | undefined;
  #counters: Map<string, number> | undefined;
  #self: Drop | undefined;

  constructor(source: Source, options: RenderOptions, around?: Context, mayInclude = false) {
    this.source = source;
    this.#options = options;
    this.limits = options.limits ?? defaultLimits;
    this.meter = options.meter ?? unlimited;
    this.depth = around?.depth ?? 0;
    this.isIsolated = around !== undefined && !mayInclude;
    this.#output = around === undefined ? new Output(this.limits.output) : around.#output;
  }

  get options(): RenderOptions {
    this.#output.looks += 1;
    return this.#options;
  }

  /** A context without this one's variables, which writes to the same output. @param mayInclude `include` is allowed in it, as in a file of its own */
  isolated(mayInclude = false): Context {
    return new Context(this.source, this.#options, this, mayInclude);
  }

  /** Variables of loops, snippets and other tags with variables for their bodies alone. Nil is null; what is not there is undefined. */
  get locals(): Map<string, unknown> {
    this.#locals ??= new Map();
    return this.#locals;
  }

  /** What tags remember between two places of a template. */
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

  /** `{{ value }}` */
  print(value: unknown): void {
    if (typeof value === "string") this.write(value);
    else if (Array.isArray(value)) for (const item of value) this.print(item);
    else if (value !== undefined && value !== null) this.write(textOf(value));
  }

  /** What `render` writes, which goes nowhere else. */
  capture(render: (context: Context) => void): string {
    return this.#output.aside(this.limits.characters, () => {
      render(this);
      this.meter.use(1 + (this.output.length >> 6));
    });
  }

  /** undefined or null: nil. */
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

  /** `assign` */
  assign(name: string, value: unknown): void {
    this.#assigned ??= new Map();
    this.#assigned.set(name, value ?? null);
  }

  /** Renders with a variable that is there meanwhile. */
  withLocal(name: string, value: unknown, render: () => void): void {
    const outer = this.locals.get(name);
    this.locals.set(name, value ?? null);
    try {
      render();
    } finally {
      this.restore(name, outer);
    }
  }

  /** @param outer what `locals` had before; undefined: nothing */
  restore(name: string, outer: unknown): void {
    if (outer === undefined) this.locals.delete(name);
    else this.locals.set(name, outer);
  }

  /** Adds to a counter, which is apart from variables. @returns what it was */
  count(name: string, by: number): number {
    this.#counters ??= new Map();
    const before = this.#counters.get(name) ?? 0;
    this.#counters.set(name, before + by);
    return before;
  }

  /** Renders a snippet inside of this template. @throws LimitError where too many are in one another */
  renderPartial(partial: Partial, context: Context): void {
    const { source, depth } = context;
    context.source = partial;
    context.depth = depth + 1;
    try {
      context.#checkDepth();
      partial.render(context);
    } finally {
      context.source = source;
      context.depth = depth;
    }
  }

  /** Renders a snippet as `renderPartial` does.
   *  @returns what it wrote, where the same snippet writes the same whenever it is given the same variables; undefined: where it may write something else */
  record(partial: Partial, context: Context): Written | undefined {
    return this.#output.record(this.meter, () => this.renderPartial(partial, context));
  }

  /** Writes what a snippet wrote before. @throws LimitError as where it is rendered */
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

  partial(name: string): Partial {
    if (this.options.partial === undefined) throw new RenderFault("This liquid context does not allow includes.");
    return this.options.partial(name, this);
  }

  /** A list as filters go through it. @throws LimitError where it is too long */
  list(value: unknown): readonly unknown[] {
    const { items } = this.limits;
    const list = listOf(value, items + 1);
    if (list.length > items) throw new LimitError(`a list of more than ${items} items`);
    return list;
  }

  /** Steps that a value costs the filter that reads or makes it. @throws LimitError where it is too long */
  weigh(value: unknown): number {
    if (typeof value === "string") {
      if (value.length > this.limits.characters)
        throw new LimitError(`a text of more than ${this.limits.characters} characters`);
      return 1 + (value.length >> 6);
    }
    if (typeof value === "bigint") return 1 + (value.toString(16).length >> 6);
    if (!Array.isArray(value)) return value instanceof Range ? 1 + Math.min(value.size, this.limits.items) : 1;
    if (value.length > this.limits.items) throw new LimitError(`a list of more than ${this.limits.items} items`);
    return 1 + value.length;
  }

  /** Asked before a filter makes a long text. @throws LimitError where it is too long */
  reserve(characters: number): void {
    if (characters > this.limits.characters)
      throw new LimitError(`a text of more than ${this.limits.characters} characters`);
  }

  /** @throws LimitError where the two are too long together */
  joined(left: string, right: string): string {
    this.reserve(left.length + right.length);
    return left + right;
  }

  /** A part of the template failed: something else may be shown in its place. @throws LimitError again, with its place */
  fail(error: unknown, node: { readonly at: number; readonly isBlank: boolean }): void {
    const isLimit = error instanceof LimitError || isStackOverflow(error);
    const cause = isLimit && !(error instanceof LimitError) ? new LimitError("values in one another too deep") : error;
    const fault = atPlace(cause, this.placeOf(node.at));
    if (isLimit) throw fault;
    const shown = this.options.onFault?.(fault, node) ?? `Liquid error: ${fault.detail}`;
    if (!node.isBlank) this.write(shown);
  }

  /** Tells of what a filter can do nothing with, and passes over. */
  warn(detail: string): void {
    this.options.onWarning?.(new RenderFault(detail, this.placeOf(this.filterAt)));
  }

  placeOf(offset: number): Place {
    return placeOf(this.source.text, offset, this.source.name);
  }

  #checkDepth(): void {
    const { depth } = this.limits;
    if (this.depth > depth) throw new LimitError(`snippets render one another more than ${depth} deep`);
  }

  #global(name: string): unknown {
    const counter = this.#counters?.get(name);
    if (counter !== undefined) return counter;
    const { globals, isGlobal } = this.#options;
    const output = this.#output;
    if (output.isRecorded && isGlobal?.(name) !== false) output.looks += 1;
    if (globals instanceof Drop) return globals.field(name);
    return globals !== undefined && Object.hasOwn(globals, name) ? globals[name] : undefined;
  }

  #selfDrop(): Drop {
    this.#self ??= new VariablesDrop(this);
    return this.#self;
  }
}

/** `self['a b']`: every variable by its name. */
class VariablesDrop extends Drop {
  readonly #context: Context;

  constructor(context: Context) {
    super();
    this.#context = context;
  }

  field(key: string | number): unknown {
    return this.#context.variable(String(key));
  }
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}

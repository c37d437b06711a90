import type { Context } from "../liquid/context.ts";
import type { Meter } from "../liquid/limits.ts";
import { Drop } from "../liquid/values/drop.ts";
import type { CompiledTheme } from "./files/compiled-theme.ts";
import type { BlockPlacement, Placement } from "./files/json-template.ts";
import type { View } from "./view.ts";

/** What one render knows beside its objects; tags and filters read it. */
export interface RenderState {
  readonly theme: CompiledTheme;
  readonly view: View;
  readonly globals: Globals;
  /** Called with what went wrong in a part of the page, which is shown without it. */
  readonly report: (error: unknown) => void;
  /** What is shown in the place of a part that failed, as HTML; absent: nothing. */
  readonly showFault?: (error: unknown) => string;
  /** The sections that are in the page by now: id -> name of the file. */
  readonly shown: Map<string, string>;
  /** Nodes of templates that were reported; a node that failed once fails at every render, in loops many times. */
  readonly failed: WeakSet<object>;
  /** Counts what the page's sections do together. */
  readonly sections: Meter;
  /** How many settings with Liquid in them are being read. */
  depth: number;
  /** The section that is being rendered; sections do not stand in one another. */
  section?: string;
  /** What the merchant placed: that section, and the block of `blocks/` that is being rendered in it. */
  placement?: Placement;
  block?: BlockPlacement;
  /** What blocks handed down to those in them: "product" -> the product. */
  closest?: ReadonlyMap<string, unknown>;
  /** Which items of a list loops show: those of the page that an open `paginate` shows. */
  readonly pages: Map<object, { readonly offset: number; readonly limit: number }>;
  /** What the address of the page holds besides letters, in the words of the filter `t`, once it was looked at. */
  typed?: string;
  /** What `{% layout %}` said. */
  layout?: string | false;
}

/** Sets a global variable; a symbol, so that no template can call it. */
export const assign: unique symbol = Symbol("assign");

/** The variables that every template and snippet sees. */
export class Globals extends Drop {
  /** The render that they are the variables of. */
  state?: RenderState;
  /** Whether some render has a variable of that name. */
  readonly isName: (name: string) => boolean;
  readonly #read: (name: string) => unknown;
  readonly #values = new Map<unknown, unknown>();

  /** @param read works a variable out; asked once for each  @param isName absent: any may be one */
  constructor(read: (name: string) => unknown, isName: (name: string) => boolean = () => true) {
    super();
    this.isName = isName;
    this.#read = read;
  }

  field(key: string | number): unknown {
    const known = this.#values.get(key);
    if (known !== undefined || this.#values.has(key)) return known;
    const value = this.#read(key as string);
    if (value !== undefined) this.#values.set(key, value);
    return value;
  }

  /** Sets a variable and returns what it was. */
  [assign](name: string, value: unknown): unknown {
    const before = this.#values.get(name);
    this.#values.set(name, value);
    return before;
  }
}

/** The variables of the render that a view belongs to; undefined where none were made. */
export function globalsOf(view: View): Globals | undefined {
  const { bound } = view.variables;
  return bound instanceof Globals ? bound : undefined;
}

/** Lets what is made from a view find the variables of its render. */
export function bindGlobals(view: View, globals: Globals): void {
  view.variables.bound = globals;
}

export function shownFault({ showFault }: RenderState, error: unknown): string {
  return showFault?.(error) ?? "";
}

export function stateOf(context: Context): RenderState {
  return context.options.state as RenderState;
}

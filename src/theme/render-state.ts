import type { Context } from "liquidjs";
import type { CompiledTheme } from "./compiled-theme.ts";
import { BareDrop, hideInherited } from "./objects/template-object.ts";
import type { View } from "./view.ts";

/** What one render knows beside its objects; tags and filters read it. */
export interface RenderState {
  readonly theme: CompiledTheme;
  readonly view: View;
  readonly globals: Globals;
  /** Called with what went wrong in a section of a page, which is shown without it. */
  readonly report: (error: unknown) => void;
  /** `performance.now()` at which the whole render ends. */
  readonly end: number;
  /** How many `render` and `include` are open. */
  depth: number;
  /** The section that is being rendered; sections do not stand in one another. */
  section?: string;
  /** What `{% layout %}` said. */
  layout?: string | false;
}

/** Where a context's render state is found; no template can name a symbol. */
export const renderState: unique symbol = Symbol("render state");

/** Sets a global variable; a symbol, so that no template can call it. */
export const assign: unique symbol = Symbol("assign");

/** The variables that every template and snippet sees. */
export class Globals extends BareDrop {
  static {
    hideInherited(Globals.prototype);
  }

  [renderState]?: RenderState;
  readonly #readers: Map<string, () => unknown>;
  readonly #values = new Map<unknown, unknown>();

  constructor(readers: Iterable<readonly [string, () => unknown]>) {
    super();
    this.#readers = new Map(readers);
  }

  override liquidMethodMissing(key: string | number): unknown {
    if (this.#values.has(key)) return this.#values.get(key);
    const value = this.#readers.get(key as string)?.();
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

export function stateOf(context: Context): RenderState {
  const state = (context.globals as Globals)[renderState];
  if (state === undefined) throw new Error("rendered outside of a theme");
  return state;
}

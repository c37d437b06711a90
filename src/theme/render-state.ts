import type { Context, Meter } from "@vitrine/liquid";
import { Drop } from "@vitrine/liquid";
import type { CompiledTheme } from "./files/compiled-theme.ts";
import type { BlockPlacement, Placement } from "./files/json-template.ts";
import type { View } from "./view.ts";

/** State of one render in addition to its template objects, for tags and filters. */
export interface RenderState {
  readonly theme: CompiledTheme;
  readonly view: View;
  readonly globals: Globals;
  /** Receives the error of a part of the page, which is then omitted. */
  readonly report: (error: unknown) => void;
  /** Returns HTML in place of a part that failed. Default: an empty string. */
  readonly showError?: (error: unknown) => string;
  /** Files of the sections rendered so far, by section id. */
  readonly renderedSections: Map<string, string>;
  /** Template nodes whose error was already reported, since a node in a loop fails many times. */
  readonly reportedNodes: WeakSet<object>;
  /** Meter of steps and time of all sections of the page. */
  readonly sections: Meter;
  /** Nesting depth of settings that contain Liquid. */
  depth: number;
  /** Id of the current section. Sections are not nested. */
  section?: string;
  /** Placement of the current section. */
  placement?: Placement;
  block?: BlockPlacement;
  /** Objects that enclosing blocks pass to nested blocks, by name such as "product". */
  closest?: ReadonlyMap<string, unknown>;
  /** Windows of the lists inside an open `paginate`. */
  readonly pages: Map<object, { readonly offset: number; readonly limit: number }>;
  /** Path and query of the page's URL if the URL could contain a tag, cached by the filter `t`. */
  urlText?: string;
  /** Layout selected by `{% layout %}`. */
  layout?: string | false;
}

/** Key of the method that sets a global variable. Templates cannot call a symbol. */
export const assignGlobal: unique symbol = Symbol("assign");

/** Global variables of all templates and snippets. */
export class Globals extends Drop {
  /** The render that uses the variables. */
  state?: RenderState;
  /** Returns whether a global variable of that name exists. */
  readonly isGlobalName: (name: string) => boolean;
  readonly #readVariable: (name: string) => unknown;
  readonly #values = new Map<unknown, unknown>();

  /** @param readVariable computes a variable, once per name  @param isGlobalName default: every name exists */
  constructor(readVariable: (name: string) => unknown, isGlobalName: (name: string) => boolean = () => true) {
    super();
    this.isGlobalName = isGlobalName;
    this.#readVariable = readVariable;
  }

  field(key: string | number): unknown {
    const cachedValue = this.#values.get(key);
    if (cachedValue !== undefined || this.#values.has(key)) return cachedValue;
    const value = this.#readVariable(key as string);
    if (value !== undefined) this.#values.set(key, value);
    return value;
  }

  /** Sets a variable and returns its previous value. */
  [assignGlobal](name: string, value: unknown): unknown {
    const previousValue = this.#values.get(name);
    this.#values.set(name, value);
    return previousValue;
  }
}

/** Returns the variables of a view's render, or undefined before they are created. */
export function globalsOf(view: View): Globals | undefined {
  const { globals } = view.variables;
  return globals instanceof Globals ? globals : undefined;
}

/** Makes the variables of a render available to objects created from its view. */
export function bindGlobals(view: View, globals: Globals): void {
  view.variables.globals = globals;
}

export function errorHtml({ showError }: RenderState, error: unknown): string {
  return showError?.(error) ?? "";
}

export function stateOf(context: Context): RenderState {
  return context.options.state as RenderState;
}

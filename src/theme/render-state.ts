import type { Context, Meter } from "@vitrine/liquid";
import { Drop } from "@vitrine/liquid";
import type { CompiledTheme } from "./files/compiled-theme.ts";
import type { BlockPlacement, SectionPlacement } from "./files/json-template.ts";
import type { View } from "./view.ts";

/** State of one render that tags and filters can read and change. */
export interface RenderState {
  readonly theme: CompiledTheme;
  readonly view: View;
  readonly globals: Globals;
  /** Receives the error of a failed tag, output or section, which is then omitted from the page. */
  readonly report: (error: unknown) => void;
  /** Returns HTML to show in place of a tag, output or section that failed. Default: an empty string. */
  readonly showError?: (error: unknown) => string;
  /** Types of the sections rendered so far, by section id. The type of a section is the name of its file. */
  readonly renderedSections: Map<string, string>;
  /** Tags and outputs whose error was already reported. In a loop, the same tag can fail many times. */
  readonly reportedNodes: WeakSet<object>;
  /**
   * Limits the work of all sections of the page together: the number of rendered tags, outputs, and list items, and the
   * time.
   */
  readonly sections: Meter;
  /** Nesting depth of settings that contain Liquid. */
  depth: number;
  /** Id of the section being rendered. Sections cannot be nested. */
  section?: string;
  /** Settings and blocks of the section being rendered. */
  placement?: SectionPlacement;
  block?: BlockPlacement;
  /** Objects that a block passes to the blocks inside it, by name such as "product". */
  closest?: ReadonlyMap<string, unknown>;
  /** For each list in an enclosing `paginate` tag, the displayed page: its offset and number of items. */
  readonly pages: Map<object, { readonly offset: number; readonly limit: number }>;
  /** Decoded path and query of the page's URL, or "" if they cannot contain HTML. Cached by the filter `t`. */
  urlText?: string;
  /** Layout that the tag `{% layout %}` selected. */
  layout?: string | false;
}

/** Key of the method that sets a global variable. It is a symbol, which templates cannot read. */
export const assignGlobalKey: unique symbol = Symbol("assign");

/** Global variables of all templates and snippets. */
export class Globals extends Drop {
  /** State of the render that reads the variables. */
  state?: RenderState;
  /** Returns whether a global variable of that name exists. */
  readonly isGlobalName: (name: string) => boolean;
  readonly #readVariable: (name: string) => unknown;
  readonly #values = new Map<unknown, unknown>();

  /** @param readVariable computes a variable; called once per name  @param isGlobalName default: every name exists */
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
  [assignGlobalKey](name: string, value: unknown): unknown {
    const previousValue = this.#values.get(name);
    this.#values.set(name, value);
    return previousValue;
  }
}

/** Returns the global variables of a render, or undefined before they are created. */
export function getGlobals(view: View): Globals | undefined {
  const { globals } = view.variables;
  return globals instanceof Globals ? globals : undefined;
}

export function renderError({ showError }: RenderState, error: unknown): string {
  return showError?.(error) ?? "";
}

export function stateOf(context: Context): RenderState {
  return context.options.state as RenderState;
}

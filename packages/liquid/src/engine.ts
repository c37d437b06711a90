import type { Filter, FilterDefinition, FilterTable } from "./compile/filter.ts";
import { Context, type Globals, type RenderOptions } from "./context.ts";
import { LiquidError, locationOf } from "./errors.ts";
import { standardFilters } from "./filters/standard-filters.ts";
import type { Body } from "./parse/body.ts";
import { Parser, type Tag } from "./parse/parser.ts";
import { standardTags } from "./tags/standard-tags.ts";

/** Compiles templates with one set of tags and filters. */
export interface Engine {
  /** Tags by name, including the standard tags. */
  readonly tags: ReadonlyMap<string, Tag>;
  /** Filters by name, including the standard filters. */
  readonly filters: FilterTable;
  /**
   * Compiles a template, which can be rendered many times.
   * @param name name for error messages and for `LiquidError.place`. Default: ""
   * @throws LiquidError of kind "syntax", with its location
   */
  parse(source: string, name?: string): Template;
}

export interface EngineOptions {
  /** Additional tags by name. A tag with the name of a standard tag replaces it. */
  readonly tags?: Readonly<Record<string, Tag>>;
  /**
   * Additional filters by name. A filter with the name of a standard filter replaces it. A function accepts any number
   * of arguments; a definition limits their number.
   */
  readonly filters?: Readonly<Record<string, Filter | FilterDefinition>>;
  /**
   * Whether malformed markup is an error. Default: false, which parses malformed markup as far as possible, like Ruby's
   * lax mode.
   */
  readonly isStrict?: boolean;
}

/**
 * Creates an engine with the tags and filters of Ruby's Liquid, and additional ones.
 *
 * @example const engine = createEngine({ filters: { money: (cents) => `$${(Number(cents) / 100).toFixed(2)}` } });
 * engine.parse("{{ price | money }}").render({ price: 1250 }); // "$12.50"
 */
export function createEngine({ tags = {}, filters = {}, isStrict = false }: EngineOptions = {}): Engine {
  const language = {
    tags: new Map([...standardTags, ...Object.entries(tags)]),
    filters: new Map([...standardFilters, ...Object.entries(filters).map(toFilterDefinition)]),
    isStrict,
  };
  return {
    ...language,
    parse: (source, name = "") => {
      const parser = new Parser(source, language);
      try {
        return new Template(name, source, parser.parseDocument(), parser.syntaxErrors);
      } catch (error) {
        if (!LiquidError.is(error, "syntax")) throw error;
        throw new LiquidError("syntax", error.detail, locationOf(source, error.offset, name));
      }
    },
  };
}

function toFilterDefinition([name, filter]: [string, Filter | FilterDefinition]): [string, FilterDefinition] {
  return [
    name,
    typeof filter === "function" ? { apply: filter, minArguments: 0, maxArguments: Number.POSITIVE_INFINITY } : filter,
  ];
}

/** A compiled template. It has no state, so that concurrent renders can share it. */
export class Template {
  /** Name passed to `parse`. */
  readonly name: string;
  /** Source text of the template. */
  readonly text: string;
  /** Errors of malformed parts that were parsed as far as possible. Each error has an `offset`. */
  readonly syntaxErrors: readonly LiquidError[];
  readonly #body: Body;

  constructor(name: string, text: string, body: Body, syntaxErrors: readonly LiquidError[]) {
    this.name = name;
    this.text = text;
    this.syntaxErrors = syntaxErrors;
    this.#body = body;
  }

  /**
   * Renders the template.
   * @param globals variables of the template: an object or a drop. Default: none
   * @returns the output. A tag that fails prints its error, or the result of `options.onError`
   * @throws LiquidError of kind "limit" if the render exceeds a limit
   */
  render(globals: Globals = {}, options: Omit<RenderOptions, "globals"> = {}): string {
    const context = new Context(this, { ...options, globals });
    this.renderInto(context);
    return context.output;
  }

  /** Renders the template inside another render, with its variables and limits.  @throws LiquidError like `render` */
  readonly renderInto = (context: Context): void => this.#body.render(context);
}

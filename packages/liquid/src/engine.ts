import type { FilterDefinition, FilterTable } from "./compile/filter.ts";
import { Context, type RenderOptions } from "./context.ts";
import { LiquidSyntaxError, placeOf } from "./errors.ts";
import { standardFilters } from "./filters/standard-filters.ts";
import type { Body } from "./parse/body.ts";
import { Parser, type TagParser } from "./parse/parser.ts";
import { standardTags } from "./tags/standard-tags.ts";

/** Liquid with its standard tags and filters, and additional ones. Compiles templates once to closures that render. */
export interface Engine {
  readonly tags: ReadonlyMap<string, TagParser>;
  readonly filters: FilterTable;
  /**
   * Compiles a template.
   * @param name of the template, for messages
   * @throws LiquidSyntaxError with the location of the error
   */
  parse(source: string, name?: string): Template;
}

export interface EngineOptions {
  /** Added to the standard ones, or replacing them. */
  readonly tags?: Readonly<Record<string, TagParser>>;
  readonly filters?: Iterable<readonly [name: string, filter: FilterDefinition]>;
  /**
   * Whether malformed markup is an error. Default: false, malformed markup is parsed as far as possible, as in Ruby's
   * lax mode.
   */
  readonly isStrict?: boolean;
}

export function createEngine({ tags = {}, filters = [], isStrict = false }: EngineOptions = {}): Engine {
  const language = {
    tags: new Map([...standardTags, ...Object.entries(tags)]),
    filters: new Map([...standardFilters, ...filters]),
    isStrict,
  };
  return {
    ...language,
    parse: (source, name = "") => {
      const parser = new Parser(source, language);
      try {
        return new Template(name, source, parser.document(), parser.syntaxErrors);
      } catch (error) {
        if (!(error instanceof LiquidSyntaxError)) throw error;
        throw new LiquidSyntaxError(error.detail, error.offset, placeOf(source, error.offset, name));
      }
    },
  };
}

/** A compiled template. */
export class Template {
  readonly name: string;
  readonly text: string;
  /** Malformed parts that were parsed as far as possible. */
  readonly syntaxErrors: readonly LiquidSyntaxError[];
  readonly #body: Body;

  constructor(name: string, text: string, body: Body, syntaxErrors: readonly LiquidSyntaxError[]) {
    this.name = name;
    this.text = text;
    this.syntaxErrors = syntaxErrors;
    this.#body = body;
  }

  /** Renders into a running render. */
  readonly render = (context: Context): void => this.#body.render(context);

  /** Returns the output.  @throws LimitError */
  toText(options: RenderOptions = {}): string {
    const context = new Context(this, options);
    this.render(context);
    return context.output;
  }
}

import type { FilterDefinition, FilterTable } from "./compile/filter.ts";
import { Context, type RenderOptions } from "./context.ts";
import { placeOf, SyntaxFault } from "./errors.ts";
import { standardFilters } from "./filters/standard-filters.ts";
import type { Body } from "./parse/body.ts";
import { Parser, type TagParser } from "./parse/parser.ts";
import { standardTags } from "./tags/standard-tags.ts";

/** Liquid with its standard tags and filters, and others: reads templates once, into closures that render. */
export interface Engine {
  readonly tags: ReadonlyMap<string, TagParser>;
  readonly filters: FilterTable;
  /** @param name of the template, for messages  @throws SyntaxFault with the place of what is wrong */
  parse(source: string, name?: string): Template;
}

export interface EngineOptions {
  /** Beside the standard ones, or in their place. */
  readonly tags?: Readonly<Record<string, TagParser>>;
  readonly filters?: Iterable<readonly [name: string, filter: FilterDefinition]>;
  /** Markup that is not well formed is a fault; else as much of it is read as can be, as Ruby's lax mode does. */
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
        return new Template(name, source, parser.document(), parser.faults);
      } catch (error) {
        if (!(error instanceof SyntaxFault)) throw error;
        throw new SyntaxFault(error.detail, error.offset, placeOf(source, error.offset, name));
      }
    },
  };
}

/** A template that was read. */
export class Template {
  readonly name: string;
  readonly text: string;
  /** What is not well formed in it, and was read as far as it goes. */
  readonly faults: readonly SyntaxFault[];
  readonly #body: Body;

  constructor(name: string, text: string, body: Body, faults: readonly SyntaxFault[]) {
    this.name = name;
    this.text = text;
    this.faults = faults;
    this.#body = body;
  }

  /** Writes into a render that goes on. */
  readonly render = (context: Context): void => this.#body.render(context);

  /** @throws LimitError */
  toText(options: RenderOptions = {}): string {
    const context = new Context(this, options);
    this.render(context);
    return context.output;
  }
}

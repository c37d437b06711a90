import type { Evaluate } from "../compile/expression.ts";
import type { FilterTable } from "../compile/filter.ts";
import { compileFiltered } from "../compile/filtered.ts";
import { LiquidError } from "../errors.ts";
import { pieceOfText } from "../values/text.ts";
import { trimEnd, trimStart } from "../values/whitespace.ts";
import { Body, type Node } from "./body.ts";
import type { Filtered } from "./expression.ts";
import { laxFiltered, type Piece } from "./lax.ts";
import { Lexer } from "./lexer.ts";
import { readFiltered } from "./read-expression.ts";
import { LineTokenizer, type MarkupToken, Tokenizer } from "./tokenizer.ts";

/**
 * A tag: a function that compiles one use of the tag. A tag with a body parses it with `parser.body`.
 * @throws LiquidError of kind "syntax" if the markup is invalid
 *
 * @example const box = (tag, parser) => {
 *   const { body } = parser.body(tag); // up to {% endbox %}
 *   return {
 *     at: tag.begin,
 *     isBlank: false,
 *     render: (context) => context.write(`<div>${context.capture(body.render)}</div>`),
 *   };
 * };
 */
export type Tag = (tag: MarkupToken, parser: Parser) => Node;

export interface Language {
  readonly tags: ReadonlyMap<string, Tag>;
  readonly filters: FilterTable;
  /** Whether malformed markup is an error. If false, it is parsed as far as possible. */
  readonly isStrict: boolean;
}

/** A parsed body, and the tag that ended it. */
export interface ReadBody {
  readonly body: Body;
  readonly end: MarkupToken;
}

/** Maximum nesting depth of tags, which prevents a stack overflow. */
const maxNesting = 100;
/** Maximum number of tags and outputs in a template, about ten times as many as in real templates. */
const maxMarkup = 10_000;

/** Parses a template to a tree of nodes. */
export class Parser {
  readonly source: string;
  readonly language: Language;
  /** Errors of malformed parts that were parsed as far as possible. */
  readonly syntaxErrors: LiquidError[] = [];
  #tokens: Tokenizer;
  #trims = false;
  #depth = 0;
  #count = 0;

  constructor(source: string, language: Language) {
    this.source = source;
    this.language = language;
    this.#tokens = new Tokenizer(source);
  }

  /** Parses the entire template.  @throws LiquidError */
  document(): Body {
    const { body, end } = this.#read();
    if (end === undefined) return body;
    if (end.name === "else" || end.name === "end")
      throw new LiquidError("syntax", `Unexpected outer '${end.name}' tag`, end.begin);
    throw unknownTag(end);
  }

  /**
   * Parses the body of a tag, up to its end tag or to a tag that starts another part (`else`).
   * @param parts names of the tags that start another part
   * @throws LiquidError
   */
  body(tag: MarkupToken, parts: readonly string[] = []): ReadBody {
    const delimiter = `end${tag.name}`;
    if (this.#depth >= maxNesting)
      throw new LiquidError(
        "syntax",
        `Nesting too deep: blocks stand more than ${maxNesting} deep in one another`,
        tag.begin,
      );
    this.#depth += 1;
    const { body, end } = this.#read();
    this.#depth -= 1;
    if (end === undefined) throw neverClosed(tag);
    if (end.name === delimiter || parts.includes(end.name)) return { body, end };
    if (end.name === "else") throw new LiquidError("syntax", `${tag.name} tag does not expect 'else' tag`, end.begin);
    if (!end.name.startsWith("end")) throw unknownTag(end);
    const detail = `'${end.name}' is not a valid delimiter for ${tag.name} tags. use ${delimiter}`;
    throw new LiquidError("syntax", detail, end.begin);
  }

  /** Returns the unparsed text up to the end tag.  @throws LiquidError if there is no end tag */
  text(tag: MarkupToken): string {
    // The end tag may contain markup, which is ignored, but not the start of another tag.
    const end = new RegExp(`\\{%-?\\s*end${tag.name}\\b(?:(?!\\{%|%\\})[^])*%\\}`, "g");
    end.lastIndex = tag.end;
    const match = this.#tokens.isLines ? null : end.exec(this.source);
    if (match === null) throw neverClosed(tag);
    this.skipTo(match.index);
    this.skip();
    return pieceOfText(this.source, tag.end, match.index);
  }

  /** Continues parsing at another position.  @param position offset in the source */
  skipTo(position: number): void {
    this.#tokens.position = position;
  }

  /** Whether the parser reads the lines of a `{% liquid %}` tag. */
  get isLines(): boolean {
    return this.#tokens.isLines;
  }

  /** Returns the next tag without compiling it, or undefined at the end of the template. */
  skip(): MarkupToken | undefined {
    for (;;) {
      const token = this.#next();
      if (token === undefined) return undefined;
      if (token.kind !== "tag") continue;
      this.#trims = token.trimsRight;
      return token;
    }
  }

  /** Parses a value with filters, up to the end of the markup.  @throws LiquidError */
  filtered(markup: Piece): Evaluate {
    const read = this.read<Filtered>(markup, readFiltered, laxFiltered);
    return compileFiltered(read, this.language.filters);
  }

  /** Parses markup with the strict parser and, if that fails, with the lax parser.  @throws LiquidError */
  read<Tree>(markup: Piece, strict: (lexer: Lexer) => Tree, lax: (markup: Piece) => Tree): Tree {
    try {
      return strict(new Lexer(markup.text, markup.at));
    } catch (error) {
      if (!LiquidError.is(error, "syntax") || this.language.isStrict) throw error;
      const read = lax(markup);
      this.syntaxErrors.push(error);
      return read;
    }
  }

  /**
   * Checks the name of a variable that a tag assigns. In lax mode, a malformed name is accepted and recorded.
   * @throws LiquidError in strict mode
   */
  checkVariableName({ text, at }: Piece): void {
    if (oneName.test(text)) return;
    const error = new LiquidError("syntax", `Expected the name of a variable but found "${text.trim()}"`, at);
    if (this.language.isStrict) throw error;
    this.syntaxErrors.push(error);
  }

  /**
   * Parses up to an unknown tag, such as an end tag.
   * @returns the body and the unknown tag; `end` is undefined at the end of the template
   */
  #read(): { readonly body: Body; readonly end: MarkupToken | undefined } {
    const body = new Body();
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      if (token.kind === "text") {
        const text = pieceOfText(this.source, token.begin, token.end);
        body.parts.push(this.#trims ? trimStart(text) : text);
        this.#trims = false;
        continue;
      }
      if (token.trimsLeft) trimLast(body);
      this.#trims = token.trimsRight;
      this.#count += 1;
      if (this.#count > maxMarkup)
        throw new LiquidError("syntax", `more than ${maxMarkup} tags and outputs`, token.begin);
      if (token.kind === "output") body.parts.push(this.#output(token));
      else if (token.name === "liquid") this.#lines(token, body);
      else {
        const parse = this.language.tags.get(token.name);
        if (parse === undefined) return { body, end: token };
        body.parts.push(parse(token, this));
      }
    }
    return { body, end: undefined };
  }

  #output(token: MarkupToken): Node {
    const value = this.filtered(pieceOf(token));
    return {
      at: token.begin,
      isBlank: false,
      render: (context) => context.print(value(context)),
    };
  }

  /** Parses a `{% liquid … %}` tag. Its tags become nodes of the enclosing body. */
  #lines(token: MarkupToken, body: Body): void {
    const around = this.#tokens;
    const trims = this.#trims;
    this.#tokens = new LineTokenizer(this.source, token);
    const { body: lines, end } = this.#read();
    if (end !== undefined)
      throw end.name.startsWith("end")
        ? new LiquidError("syntax", `'${end.name}' is not a valid delimiter for liquid tags. use %}`, end.begin)
        : unknownTag(end);
    this.#tokens = around;
    this.#trims = trims;
    body.parts.push(...lines.parts);
  }

  #next(): ReturnType<Tokenizer["next"]> {
    return this.#tokens.next();
  }
}

/** Returns the markup after the tag's name. */
export function pieceOf({ markup, markupAt }: MarkupToken): Piece {
  return { text: markup, at: markupAt };
}

const oneName = /^\s*(?:[a-z_][\w-]*\??|'[^']*'|"[^"]*")\s*$/i;

function trimLast({ parts }: Body): void {
  const last = parts.at(-1);
  if (typeof last === "string") parts[parts.length - 1] = trimEnd(last);
}

export function neverClosed({ name, begin }: MarkupToken): LiquidError {
  return new LiquidError("syntax", `'${name}' tag was never closed`, begin);
}

function unknownTag({ name, begin }: MarkupToken): LiquidError {
  return new LiquidError("syntax", `Unknown tag '${name}'`, begin);
}

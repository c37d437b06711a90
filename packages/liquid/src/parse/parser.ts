import type { Evaluator } from "../compile/expression.ts";
import type { FilterTable } from "../compile/filter.ts";
import { compileFilteredValue } from "../compile/filtered.ts";
import { LiquidError } from "../errors.ts";
import { copySubstring } from "../values/text.ts";
import { trimEnd, trimStart } from "../values/whitespace.ts";
import { Body, type Node } from "./body.ts";
import type { FilteredValue } from "./expression.ts";
import { type MarkupPart, parseLaxFilteredValue } from "./lax.ts";
import { Lexer } from "./lexer.ts";
import { readFilteredValue } from "./read-expression.ts";
import { LineTokenizer, type MarkupToken, Tokenizer } from "./tokenizer.ts";

/**
 * Compiles one use of a tag in a template. A tag with a body calls `parser.body` to parse the body.
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

/** The parsed body of a tag, and the tag after the body: the end tag, or the start of another part, such as `else`. */
export interface ParsedBody {
  readonly body: Body;
  readonly end: MarkupToken;
}

/** Maximum nesting depth of tags, which prevents a stack overflow. */
const maxNestingDepth = 100;
/** Maximum number of tags and outputs in a template, about ten times as many as in real templates. */
const maxMarkupCount = 10_000;

/** Parses a template into tags, outputs, and literal text. */
export class Parser {
  readonly source: string;
  readonly language: Language;
  /** Errors in malformed markup that could still be parsed in lax mode. */
  readonly syntaxErrors: LiquidError[] = [];
  #tokens: Tokenizer;
  #trimsNextText = false;
  #depth = 0;
  #count = 0;

  constructor(source: string, language: Language) {
    this.source = source;
    this.language = language;
    this.#tokens = new Tokenizer(source);
  }

  /** Parses the entire template.  @throws LiquidError */
  parseDocument(): Body {
    const { body, end } = this.#parseBody();
    if (end === undefined) return body;
    if (end.name === "else" || end.name === "end")
      throw new LiquidError("syntax", `Unexpected outer '${end.name}' tag`, end.begin);
    throw createUnknownTagError(end);
  }

  /**
   * Parses the body of a tag, up to its end tag or to a tag that starts another part, such as `else`.
   * @param parts names of the tags that start another part
   * @throws LiquidError
   */
  body(tag: MarkupToken, parts: readonly string[] = []): ParsedBody {
    const delimiter = `end${tag.name}`;
    if (this.#depth >= maxNestingDepth)
      throw new LiquidError(
        "syntax",
        `Nesting too deep: blocks are nested more than ${maxNestingDepth} levels deep`,
        tag.begin,
      );
    this.#depth += 1;
    const { body, end } = this.#parseBody();
    this.#depth -= 1;
    if (end === undefined) throw createUnclosedTagError(tag);
    if (end.name === delimiter || parts.includes(end.name)) return { body, end };
    if (end.name === "else") throw new LiquidError("syntax", `${tag.name} tag does not expect 'else' tag`, end.begin);
    if (!end.name.startsWith("end")) throw createUnknownTagError(end);
    const detail = `'${end.name}' is not a valid delimiter for ${tag.name} tags. use ${delimiter}`;
    throw new LiquidError("syntax", detail, end.begin);
  }

  /** Returns the unparsed text up to the end tag.  @throws LiquidError if there is no end tag */
  readRawText(tag: MarkupToken): string {
    // Other words are allowed in the end tag and ignored, but it cannot contain the start of another tag.
    const end = new RegExp(`\\{%-?\\s*end${tag.name}\\b(?:(?!\\{%|%\\})[^])*%\\}`, "g");
    end.lastIndex = tag.end;
    const match = this.#tokens.isInLiquidTag ? null : end.exec(this.source);
    if (match === null) throw createUnclosedTagError(tag);
    this.skipTo(match.index);
    this.skipToTag();
    return copySubstring(this.source, tag.end, match.index);
  }

  /** Continues parsing at another position.  @param position offset in the source */
  skipTo(position: number): void {
    this.#tokens.position = position;
  }

  /** Whether the parser reads the lines of a `{% liquid %}` tag. */
  get isInLiquidTag(): boolean {
    return this.#tokens.isInLiquidTag;
  }

  /** Returns the next tag without compiling it, or undefined at the end of the template. */
  skipToTag(): MarkupToken | undefined {
    for (;;) {
      const token = this.#nextToken();
      if (token === undefined) return undefined;
      if (token.kind !== "tag") continue;
      this.#trimsNextText = token.trimsRight;
      return token;
    }
  }

  /** Parses a value with filters, up to the end of the markup.  @throws LiquidError */
  parseFilteredValue(markup: MarkupPart): Evaluator {
    const value = this.parseMarkup<FilteredValue>(markup, readFilteredValue, parseLaxFilteredValue);
    return compileFilteredValue(value, this.language.filters);
  }

  /**
   * Parses markup with the strict parser. If that fails, uses the lax parser and records the error.
   * @throws LiquidError if the markup is malformed and the engine is strict
   */
  parseMarkup<Tree>(
    markup: MarkupPart,
    parseStrict: (lexer: Lexer) => Tree,
    parseLax: (markup: MarkupPart) => Tree,
  ): Tree {
    try {
      return parseStrict(new Lexer(markup.text, markup.at));
    } catch (error) {
      if (!LiquidError.is(error, "syntax") || this.language.isStrict) throw error;
      const tree = parseLax(markup);
      this.syntaxErrors.push(error);
      return tree;
    }
  }

  /**
   * Checks the name of a variable that a tag assigns. In lax mode, a malformed name is recorded as a syntax error.
   * @throws LiquidError in strict mode
   */
  checkVariableName({ text, at }: MarkupPart): void {
    if (variableNamePattern.test(text)) return;
    const error = new LiquidError("syntax", `Expected the name of a variable but found "${text.trim()}"`, at);
    if (this.language.isStrict) throw error;
    this.syntaxErrors.push(error);
  }

  /**
   * Parses up to a tag that the engine does not define, such as an end tag.
   * @returns the body and this tag; `end` is undefined at the end of the template
   */
  #parseBody(): { readonly body: Body; readonly end: MarkupToken | undefined } {
    const body = new Body();
    for (let token = this.#nextToken(); token !== undefined; token = this.#nextToken()) {
      if (token.kind === "text") {
        const text = copySubstring(this.source, token.begin, token.end);
        body.parts.push(this.#trimsNextText ? trimStart(text) : text);
        this.#trimsNextText = false;
        continue;
      }
      if (token.trimsLeft) trimLastText(body);
      this.#trimsNextText = token.trimsRight;
      this.#count += 1;
      if (this.#count > maxMarkupCount)
        throw new LiquidError("syntax", `more than ${maxMarkupCount} tags and outputs`, token.begin);
      if (token.kind === "output") body.parts.push(this.#parseOutput(token));
      else if (token.name === "liquid") this.#parseLines(token, body);
      else {
        const parseTag = this.language.tags.get(token.name);
        if (parseTag === undefined) return { body, end: token };
        body.parts.push(parseTag(token, this));
      }
    }
    return { body, end: undefined };
  }

  #parseOutput(token: MarkupToken): Node {
    const value = this.parseFilteredValue(markupOf(token));
    return {
      at: token.begin,
      isBlank: false,
      render: (context) => context.print(value(context)),
    };
  }

  /** Parses a `{% liquid … %}` tag. The tags on its lines are added to the enclosing body. */
  #parseLines(token: MarkupToken, body: Body): void {
    const previousTokens = this.#tokens;
    const trimsText = this.#trimsNextText;
    this.#tokens = new LineTokenizer(this.source, token);
    const { body: lines, end } = this.#parseBody();
    if (end !== undefined)
      throw end.name.startsWith("end")
        ? new LiquidError("syntax", `'${end.name}' is not a valid delimiter for liquid tags. use %}`, end.begin)
        : createUnknownTagError(end);
    this.#tokens = previousTokens;
    this.#trimsNextText = trimsText;
    body.parts.push(...lines.parts);
  }

  #nextToken(): ReturnType<Tokenizer["next"]> {
    return this.#tokens.next();
  }
}

/** Returns the markup after the tag's name. */
export function markupOf({ markup, markupOffset }: MarkupToken): MarkupPart {
  return { text: markup, at: markupOffset };
}

const variableNamePattern = /^\s*(?:[a-z_][\w-]*\??|'[^']*'|"[^"]*")\s*$/i;

function trimLastText({ parts }: Body): void {
  const lastPart = parts.at(-1);
  if (typeof lastPart === "string") parts[parts.length - 1] = trimEnd(lastPart);
}

export function createUnclosedTagError({ name, begin }: MarkupToken): LiquidError {
  return new LiquidError("syntax", `'${name}' tag was never closed`, begin);
}

function createUnknownTagError({ name, begin }: MarkupToken): LiquidError {
  return new LiquidError("syntax", `Unknown tag '${name}'`, begin);
}

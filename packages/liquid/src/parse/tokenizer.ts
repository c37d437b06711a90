import { LiquidError } from "../errors.ts";
import { copySubstring } from "../values/text.ts";

export interface TextToken {
  readonly kind: "text";
  readonly begin: number;
  readonly end: number;
}

/** An output `{{ … }}`, a tag `{% … %}`, or a line of a `{% liquid %}` tag. */
export interface MarkupToken {
  readonly kind: "output" | "tag";
  /** Start and end offsets, including the delimiters. */
  readonly begin: number;
  readonly end: number;
  /** Name of the tag; "" for an output or a tag without a name. */
  readonly name: string;
  readonly nameOffset: number;
  /** Text between the name and the end delimiter. */
  readonly markup: string;
  readonly markupOffset: number;
  /** Whether whitespace before the token (`{%-`) and after it (`-%}`) is removed. */
  readonly trimsLeft: boolean;
  readonly trimsRight: boolean;
}

export type TemplateToken = TextToken | MarkupToken;

/** Splits a template into literal text, outputs, and tags. */
export class Tokenizer {
  readonly source: string;
  /** Offset of the next token. Tags that read their own body, such as `raw`, move it to the end of that body. */
  position = 0;
  readonly isInLiquidTag: boolean = false;

  constructor(source: string) {
    this.source = source;
  }

  /** Returns the next token, or undefined at the end.  @throws LiquidError if a tag or output is not closed */
  next(): TemplateToken | undefined {
    const { source, position: begin } = this;
    if (begin >= source.length) return undefined;
    if (source[begin] === "{") {
      if (source[begin + 1] === "%") return this.#readTag(begin);
      if (source[begin + 1] === "{") return this.#readOutput(begin);
    }
    markupStart.lastIndex = begin;
    const end = markupStart.exec(source)?.index ?? source.length;
    this.position = end;
    return { kind: "text", begin, end };
  }

  #readTag(start: number): MarkupToken {
    const { source } = this;
    const closingIndex = source.indexOf("%}", start + 2);
    if (closingIndex < 0)
      throw new LiquidError("syntax", "Tag '{%' was not properly terminated with regexp: /\\%\\}/", start);
    this.position = closingIndex + 2;
    const trimsLeft = source[start + 2] === "-";
    const contentStart = start + (trimsLeft ? 3 : 2);
    const trimsRight = source[closingIndex - 1] === "-" && closingIndex > start + 2;
    const end = trimsRight ? Math.max(contentStart, closingIndex - 1) : closingIndex;
    return {
      kind: "tag",
      begin: start,
      end: closingIndex + 2,
      trimsLeft,
      trimsRight,
      ...splitTagName(source, contentStart, end),
    };
  }

  /** An output ends at the first `}}`, even inside quotes. */
  #readOutput(start: number): MarkupToken {
    const { source } = this;
    const closingIndex = source.indexOf("}", start + 2);
    const tagIndex = source.indexOf("{%", start + 2);
    if (closingIndex < 0 || source[closingIndex + 1] !== "}" || (tagIndex >= 0 && tagIndex < closingIndex)) {
      const unclosedText =
        closingIndex < 0 || (tagIndex >= 0 && tagIndex < closingIndex) ? "{{" : source.slice(start, closingIndex + 1);
      throw new LiquidError(
        "syntax",
        `Variable '${unclosedText}' was not properly terminated with regexp: /\\}\\}/`,
        start,
      );
    }
    this.position = closingIndex + 2;
    const trimsLeft = source[start + 2] === "-";
    const markupOffset = start + (trimsLeft ? 3 : 2);
    const trimsRight = source[closingIndex - 1] === "-" && closingIndex > start + 2;
    const markup = copySubstring(source, markupOffset, trimsRight ? closingIndex - 1 : closingIndex);
    return {
      kind: "output",
      begin: start,
      end: closingIndex + 2,
      name: "",
      nameOffset: markupOffset,
      markup,
      markupOffset,
      trimsLeft,
      trimsRight,
    };
  }
}

/** Splits a `{% liquid … %}` tag into its lines, each of which is one tag. */
export class LineTokenizer extends Tokenizer {
  override readonly isInLiquidTag = true;
  readonly #end: number;

  /** Creates a tokenizer for the lines of a tag.  @param token the `liquid` tag */
  constructor(source: string, token: MarkupToken) {
    super(source);
    this.position = token.markupOffset;
    this.#end = token.markupOffset + token.markup.length;
  }

  override next(): MarkupToken | undefined {
    while (this.position < this.#end) {
      const start = this.position;
      const lineEnd = this.source.indexOf("\n", start);
      const end = lineEnd < 0 || lineEnd > this.#end ? this.#end : lineEnd;
      this.position = end + 1;
      if (/^\s*$/.test(this.source.slice(start, end))) continue;
      return {
        kind: "tag",
        begin: start,
        end,
        trimsLeft: false,
        trimsRight: false,
        ...splitTagName(this.source, start, end),
      };
    }
    return undefined;
  }
}

function splitTagName(
  source: string,
  start: number,
  end: number,
): Pick<MarkupToken, "name" | "nameOffset" | "markup" | "markupOffset"> {
  const text = copySubstring(source, start, end);
  const [matchText = "", leadingSpace = "", name = ""] = /^(\s*)(#|\w+)\s*/.exec(text) ?? [];
  return {
    name,
    nameOffset: start + leadingSpace.length,
    markup: text.slice(matchText.length),
    markupOffset: start + matchText.length,
  };
}

const markupStart = /\{[{%]/g;

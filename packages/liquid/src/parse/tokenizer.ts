import { LiquidError } from "../errors.ts";
import { pieceOfText } from "../values/text.ts";

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
  readonly nameAt: number;
  /** Text between the name and the end delimiter. */
  readonly markup: string;
  readonly markupAt: number;
  /** Whether the token trims the whitespace before (`{%-`) and after it (`-%}`). */
  readonly trimsLeft: boolean;
  readonly trimsRight: boolean;
}

export type Token = TextToken | MarkupToken;

/** Splits a template into texts, outputs, and tags. */
export class Tokenizer {
  readonly source: string;
  /** Offset of the next token. Tags that read their own body change it. */
  position = 0;
  readonly isLines: boolean = false;

  constructor(source: string) {
    this.source = source;
  }

  /** Returns the next token, or undefined at the end.  @throws LiquidError if a tag or output is not closed */
  next(): Token | undefined {
    const { source, position: begin } = this;
    if (begin >= source.length) return undefined;
    if (source[begin] === "{") {
      if (source[begin + 1] === "%") return this.#tag(begin);
      if (source[begin + 1] === "{") return this.#output(begin);
    }
    start.lastIndex = begin;
    const end = start.exec(source)?.index ?? source.length;
    this.position = end;
    return { kind: "text", begin, end };
  }

  #tag(begin: number): MarkupToken {
    const { source } = this;
    const close = source.indexOf("%}", begin + 2);
    if (close < 0) throw new LiquidError("syntax", "Tag '{%' was not properly terminated with regexp: /\\%\\}/", begin);
    this.position = close + 2;
    const trimsLeft = source[begin + 2] === "-";
    const inner = begin + (trimsLeft ? 3 : 2);
    const trimsRight = source[close - 1] === "-" && close > begin + 2;
    const end = trimsRight ? Math.max(inner, close - 1) : close;
    return { kind: "tag", begin, end: close + 2, trimsLeft, trimsRight, ...nameIn(source, inner, end) };
  }

  /** An output ends at the first closing braces, even inside quotes. */
  #output(begin: number): MarkupToken {
    const { source } = this;
    const close = source.indexOf("}", begin + 2);
    const tag = source.indexOf("{%", begin + 2);
    if (close < 0 || source[close + 1] !== "}" || (tag >= 0 && tag < close)) {
      const shown = close < 0 || (tag >= 0 && tag < close) ? "{{" : source.slice(begin, close + 1);
      throw new LiquidError("syntax", `Variable '${shown}' was not properly terminated with regexp: /\\}\\}/`, begin);
    }
    this.position = close + 2;
    const trimsLeft = source[begin + 2] === "-";
    const markupAt = begin + (trimsLeft ? 3 : 2);
    const trimsRight = source[close - 1] === "-" && close > begin + 2;
    const markup = pieceOfText(source, markupAt, trimsRight ? close - 1 : close);
    return {
      kind: "output",
      begin,
      end: close + 2,
      name: "",
      nameAt: markupAt,
      markup,
      markupAt,
      trimsLeft,
      trimsRight,
    };
  }
}

/** Splits a `{% liquid … %}` tag into lines with one tag each. */
export class LineTokenizer extends Tokenizer {
  override readonly isLines = true;
  readonly #end: number;

  /** Creates a tokenizer for the lines of a tag.  @param token the `liquid` tag */
  constructor(source: string, token: MarkupToken) {
    super(source);
    this.position = token.markupAt;
    this.#end = token.markupAt + token.markup.length;
  }

  override next(): MarkupToken | undefined {
    while (this.position < this.#end) {
      const begin = this.position;
      const line = this.source.indexOf("\n", begin);
      const end = line < 0 || line > this.#end ? this.#end : line;
      this.position = end + 1;
      if (/^\s*$/.test(this.source.slice(begin, end))) continue;
      return { kind: "tag", begin, end, trimsLeft: false, trimsRight: false, ...nameIn(this.source, begin, end) };
    }
    return undefined;
  }
}

function nameIn(
  source: string,
  begin: number,
  end: number,
): Pick<MarkupToken, "name" | "nameAt" | "markup" | "markupAt"> {
  const text = pieceOfText(source, begin, end);
  const [whole = "", blanks = "", name = ""] = /^(\s*)(#|\w+)\s*/.exec(text) ?? [];
  return { name, nameAt: begin + blanks.length, markup: text.slice(whole.length), markupAt: begin + whole.length };
}

const start = /\{[{%]/g;

import { type NumberToken, type QuotedToken, TagToken, Tokenizer, type TopLevelToken } from "liquidjs";
import { readLaxly } from "./lax.ts";
import { WholeFloat } from "./whole-float.ts";

/** Lets LiquidJS read templates as Liquid does: `2.0` stays a fraction, a backslash in a text is a backslash, comments
 *  may hold what is no Liquid, raw blocks may end with dashes, and expressions that are not well formed are read as Ruby's lax mode reads them. LiquidJS makes its tokenizers itself, in every tag, so
 *  that its class is where this can be said. */
export function readTokensAsLiquid(): void {
  const { prototype } = Tokenizer;
  prototype.readNumber = readFraction;
  prototype.readQuoted = readText;
  prototype.readFilteredValue = function () {
    return readLaxly(this, readFilteredValue);
  };
  prototype.readOutputToken = function (options) {
    // An output ends at the first braces, be they in quotes or not: quotes are no signs to who looks for them.
    const quoteless: Tokenizer = Object.assign(Object.create(this), { peekType: () => 0 });
    const token = readOutputToken.call(quoteless, options);
    this.p = quoteless.p;
    return token;
  };
  prototype.readFilter = function () {
    // What follows a value and is no filter means nothing: `{{ a ; }}`, `{{ a | 'b' }}`.
    while (!this.end() && !"),".includes(this.peek()) && !isFilter.test(this.input.slice(this.p, this.p + 80)))
      this.advance();
    return readFilter.call(this);
  };
  prototype.readValue = function () {
    this.skipBlank();
    if (this.peek() !== "{") return readValue.call(this);
    // Braces around a value in a tag are passed over: `{% assign a = {{ b }} %}`.
    while (this.peek() === "{") this.advance();
    const value = readValue.call(this);
    this.skipBlank();
    while (this.peek() === "}") this.advance();
    return value;
  };
  prototype.readTagToken = function (options) {
    const token = readTagToken.call(this, options);
    if (token.name === "comment" && !unclosed.has(this)) {
      const end = endOfComment(this.input, this.p);
      if (end === undefined) unclosed.add(this);
      else comments.set(this, end);
    }
    return token;
  };
  prototype.readTopLevelToken = function (options) {
    const end = comments.get(this);
    comments.delete(this);
    return end === undefined || end <= this.p ? readTopLevelToken.call(this, options) : readUpTo(this, end);
  };
  prototype.readEndrawOrRawContent = function (options) {
    endOfRaw.lastIndex = this.p;
    const end = endOfRaw.exec(this.input);
    if (end === null) return readEndrawOrRawContent.call(this, options);
    if (end.index > this.p) return readUpTo(this, end.index);
    const begin = this.p;
    this.p += end[0].length;
    Object.assign(this, { rawBeginAt: -1 });
    return new TagToken(this.input, begin, this.p, options, this.file);
  };
}

const {
  readNumber,
  readQuoted,
  readValue,
  readFilter,
  readFilteredValue,
  readOutputToken,
  readTagToken,
  readTopLevelToken,
  readEndrawOrRawContent,
} = Tokenizer.prototype;

/** A bar and a name, or a bar and nothing. */
const isFilter = /^\|\s*(?:\w|$)/;

/** Where the comment ends that a tokenizer has just come to. */
const comments = new WeakMap<Tokenizer, number>();
/** Tokenizers that have come to a comment without an end; looking for the next one's would take too long. */
const unclosed = new WeakSet<Tokenizer>();
const endOfRaw = /\{%-?\s*endraw\s*-?%\}/g;

function readFraction(this: Tokenizer): NumberToken | undefined {
  const token = readNumber.call(this);
  if (token !== undefined && Number.isInteger(token.content) && token.getText().includes("."))
    Object.assign(token, { content: new WholeFloat(token.content) });
  return token;
}

function readText(this: Tokenizer): QuotedToken | undefined {
  this.skipBlank();
  const quote = this.peek();
  if (quote !== "'" && quote !== '"') return undefined;
  const end = this.input.indexOf(quote, this.p + 1);
  if (end < 0 || end >= this.N) {
    // A quote without its other half is passed over.
    this.p += 1;
    return undefined;
  }
  // LiquidJS takes a quote after a backslash for a part of the text, unless the input ends there.
  const content = this.input.slice(this.p + 1, end);
  const whole = this.N;
  this.N = end + 1;
  const token = readQuoted.call(this);
  this.N = whole;
  return token === undefined ? undefined : Object.assign(token, { content });
}

/** As plain text, whatever is in it. */
function readUpTo(tokenizer: Tokenizer, end: number): TopLevelToken & ReturnType<Tokenizer["readHTMLToken"]> {
  const whole = tokenizer.N;
  tokenizer.N = end;
  const token = tokenizer.readHTMLToken([]);
  tokenizer.N = whole;
  return token;
}

/** Where the tag stands that ends the comment whose body begins at `from`; comments may stand in one another. */
function endOfComment(input: string, from: number): number | undefined {
  const tag = /\{%-?\s*(end)?comment\b/g;
  tag.lastIndex = from;
  let depth = 1;
  for (let match = tag.exec(input); match !== null; match = tag.exec(input)) {
    depth += match[1] === undefined ? 1 : -1;
    if (depth === 0) return match.index;
  }
  return undefined;
}

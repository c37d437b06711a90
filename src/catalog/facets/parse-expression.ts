import { Problem } from "../../problem.ts";
import { truncateText } from "../../runtime/truncate-text.ts";
import type { FilterCondition, FilterExpression, NumberRange } from "./filter-expression.ts";
import { facetParams, findFacetTarget, formatMetafieldFacet, formatOptionFacet } from "./filter-selection.ts";

/** Maximum number of characters of a filter expression. */
const MAX_LENGTH = 8_192;
/** Maximum number of conditions, since the memory and time of a search grow with them. */
const MAX_CONDITIONS = 100;
/** Maximum depth of nested parentheses and negations. */
const MAX_DEPTH = 20;

/**
 * Parses a filter expression with the syntax of Algolia's parameter `filters`, such as `vendor:Acme AND (price < 20 OR
 * NOT tag:"on sale")`.
 * @param decimals number of decimals of prices, such as 2 for EUR
 * @throws Problem `invalid_parameter` for a syntax error, an unknown filter, or too many conditions
 */
export function parseFilterExpression(text: string, decimals: number): FilterExpression {
  if (text.length > MAX_LENGTH) throw createSyntaxError(`must have at most ${MAX_LENGTH} characters`);
  return new ExpressionParser(text, 10 ** decimals).parse();
}

class ExpressionParser {
  readonly #text: string;
  /** Minor units in one unit of the currency: 100 for EUR. */
  readonly #scale: number;
  #position = 0;
  #conditionCount = 0;

  constructor(text: string, scale: number) {
    this.#text = text;
    this.#scale = scale;
  }

  parse(): FilterExpression {
    const expression = this.#parseOperators(0);
    if (this.#position < this.#text.length) throw this.#unexpected();
    return expression;
  }

  #parseOperators(depth: number): FilterExpression {
    const parts = [this.#parseTerm(depth)];
    let operator: string | undefined;
    for (;;) {
      const nextOperator = this.#read(/(AND|OR)(?![^\s()"'])/y)?.[1];
      if (nextOperator === undefined) break;
      operator ??= nextOperator;
      if (operator !== nextOperator) throw createSyntaxError("combines AND and OR: put one of them in parentheses");
      parts.push(this.#parseTerm(depth));
    }
    const [firstPart] = parts;
    if (parts.length === 1 && firstPart !== undefined) return firstPart;
    return { kind: operator === "OR" ? "or" : "and", parts };
  }

  #parseTerm(depth: number): FilterExpression {
    if (depth > MAX_DEPTH) throw createSyntaxError(`has more than ${MAX_DEPTH} nested parentheses`);
    if (this.#read(/NOT(?![^\s()"'])/y) !== undefined) return { kind: "not", part: this.#parseTerm(depth + 1) };
    if (this.#read(/\(/y) === undefined) return this.#parseCondition();
    const expression = this.#parseOperators(depth + 1);
    if (this.#read(/\)/y) === undefined) throw this.#unexpected();
    return expression;
  }

  #parseCondition(): FilterExpression {
    this.#conditionCount += 1;
    if (this.#conditionCount > MAX_CONDITIONS) throw createSyntaxError(`has more than ${MAX_CONDITIONS} conditions`);
    const quotedName = this.#readQuoted();
    const name = quotedName ?? this.#read(/(?!(?:AND|OR|NOT)(?![^\s()"']))[^\s()"'<>=!:]+/y)?.[0];
    if (name === undefined) throw this.#unexpected();
    const comparison = this.#read(/<=|>=|!=|[<>=]/y)?.[0];
    if (comparison !== undefined) return this.#createComparison(name, comparison, this.#readNumber());
    if (this.#read(/:/y) === undefined) return this.#parseWithoutName(name, quotedName !== undefined);
    const value = this.#readQuoted() ?? this.#read(/[^\s()"']+/y)?.[0];
    if (value === undefined) throw this.#unexpected();
    if (/<score=\d+>$/.test(value)) throw createSyntaxError("has a score, which is not supported");
    if (this.#read(/TO(?=\s)/y) === undefined) return this.#createValueCondition(name, value);
    return this.#createRange(name, { from: parseNumber(value), to: this.#readNumber() });
  }

  /** Returns the condition of a text without a name outside of quotes: `"vendor:Acme Ltd"`, or the name of a tag. */
  #parseWithoutName(text: string, isQuoted: boolean): FilterExpression {
    const end = isQuoted ? text.indexOf(":") : -1;
    return end < 0
      ? this.#createValueCondition("tag", text)
      : this.#createValueCondition(text.slice(0, end), text.slice(end + 1));
  }

  #createValueCondition(name: string, value: string): FilterCondition {
    const facet = findFacet(name);
    if (facet === facetParams.price) {
      const amount = parseNumber(value);
      return this.#createRange(name, { from: amount, to: amount });
    }
    if (facet !== facetParams.availability) return { kind: "value", facet, value };
    const isInStock = stockValues.get(value.toLowerCase());
    if (isInStock === undefined) throw createSyntaxError("has an availability other than true, false, 1, or 0");
    return { kind: "stock", isInStock };
  }

  #createComparison(name: string, operator: string, amount: number): FilterExpression {
    if (operator === "!=") return { kind: "not", part: this.#createComparison(name, "=", amount) };
    return this.#createRange(name, {
      ...(operator.startsWith("<") ? {} : { from: amount }),
      ...(operator.startsWith(">") ? {} : { to: amount }),
      ...(operator === ">" ? { isFromOpen: true } : {}),
      ...(operator === "<" ? { isToOpen: true } : {}),
    });
  }

  #createRange(name: string, range: NumberRange): FilterCondition {
    const facet = findFacet(name);
    if (facet === facetParams.availability)
      return this.#createValueCondition(name, range.from === range.to ? String(range.from) : "");
    if (facet !== facetParams.price) return { kind: "number", facet, ...range };
    const { from, to } = range;
    return {
      kind: "number",
      facet,
      ...range,
      ...(from === undefined ? {} : { from: this.#toMinorUnits(from) }),
      ...(to === undefined ? {} : { to: this.#toMinorUnits(to) }),
    };
  }

  #toMinorUnits(amount: number): number {
    // Rounded, because 12.99 * 100 is slightly less than 1299.
    return Math.round(amount * this.#scale * 1e6) / 1e6;
  }

  #readNumber(): number {
    const text = this.#read(/[^\s()"']+/y)?.[0];
    if (text === undefined) throw this.#unexpected();
    return parseNumber(text);
  }

  #readQuoted(): string | undefined {
    const match = this.#read(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy);
    return (match?.[1] ?? match?.[2])?.replaceAll(/\\(.)/gs, "$1");
  }

  /** Reads a token and the white space around it. Returns undefined if the token is not next. */
  #read(pattern: RegExp): RegExpExecArray | undefined {
    this.#skipSpace();
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#position = pattern.lastIndex;
    this.#skipSpace();
    return match;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#position] ?? "")) this.#position += 1;
  }

  #unexpected(): Problem {
    const rest = this.#text.slice(this.#position, this.#position + 20);
    return createSyntaxError(
      rest === "" ? "ends too early" : `has an error at character ${this.#position + 1}: ${rest}`,
    );
  }
}

const stockValues: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function parseNumber(text: string): number {
  if (!/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text))
    throw createSyntaxError(`compares with "${truncateText(text, 20)}", which is not a number`);
  return Number(text);
}

/** Returns the facet for a name, such as "vendor", "option.size", or "filter.p.vendor". */
function findFacet(name: string): string {
  const shortName = name.replace(/^filter\.[pv]\./, "");
  const facet = facetsByName.get(shortName);
  if (facet !== undefined) return facet;
  const target = findFacetTarget(`filter.v.${shortName}`) ?? findFacetTarget(`filter.p.${shortName}`);
  if (target === undefined || target.name === "")
    throw createSyntaxError(`names "${truncateText(name, 40)}", which is not a filter of this shop`);
  return target.kind === "option" ? formatOptionFacet(target.name) : formatMetafieldFacet(target.name);
}

const facetsByName: ReadonlyMap<string, string> = new Map([
  ["vendor", facetParams.vendor],
  ["product_type", facetParams.productType],
  ["tag", facetParams.tag],
  ["_tags", facetParams.tag],
  ["availability", facetParams.availability],
  ["price", facetParams.price],
]);

function createSyntaxError(message: string): Problem {
  return new Problem("invalid_parameter", `The parameter "filters" ${message}.`);
}

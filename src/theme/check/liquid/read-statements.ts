import type { Condition, Expression, FilteredValue, MarkupToken } from "@vitrine/liquid/tree";
import {
  fragmentSource,
  Lexer,
  type MarkupSlice,
  markupOf,
  parseLaxArguments,
  parseLaxCondition,
  parseLaxExpression,
  parseLaxFilteredValue,
  readArguments,
  readCall,
  readCondition,
  readExpression,
  readFilteredValue,
  readLaxCall,
  readLaxLoop,
  readMarkup,
  readStrictLoop,
} from "@vitrine/liquid/tree";
import type { Argument, Arm, Statement } from "./statements.ts";

/** Parses a Liquid file into statements.  @param source Liquid without data blocks such as `{% schema %}` */
export function readStatements(source: string): Statement[] {
  const tokens = readMarkup(source);
  const closed = new Set<string>();
  for (const token of tokens)
    if (token.kind === "tag" && token.name.startsWith("end")) closed.add(token.name.slice("end".length));
  return new Reader(tokens, closed).body([]).statements;
}

interface Body {
  readonly statements: Statement[];
  /** Tag that ended the body, or undefined at the end of the text. */
  readonly end?: MarkupToken;
}

class Reader {
  readonly #tokens: readonly MarkupToken[];
  readonly #closed: ReadonlySet<string>;
  #next = 0;

  constructor(tokens: readonly MarkupToken[], closed: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#closed = closed;
  }

  /** Reads statements up to one of these tags, or up to an end tag that an enclosing tag expects. */
  body(ends: readonly string[], depth = 0): Body {
    const statements: Statement[] = [];
    for (let token = this.#tokens[this.#next]; token !== undefined; token = this.#tokens[this.#next]) {
      this.#next += 1;
      if (token.kind === "output") {
        statements.push(outputOf(token));
        continue;
      }
      if (ends.includes(token.name)) return { statements, end: token };
      if (token.name.startsWith("end")) {
        // The engine reports an end tag without a start tag, unless an enclosing tag expects it.
        if (depth === 0 || !this.#closed.has(token.name.slice("end".length))) continue;
        this.#next -= 1;
        return { statements };
      }
      statements.push(...this.#statement(token, depth));
    }
    return { statements };
  }

  #statement(tag: MarkupToken, depth: number): Statement[] {
    const hasBody = this.#closed.has(tag.name) && depth < 200;
    if (hasBody && ["if", "unless", "case"].includes(tag.name)) return [this.#branch(tag, depth)];
    if (hasBody && ["for", "tablerow"].includes(tag.name)) return this.#loop(tag, depth);
    const body = hasBody ? this.body([`end${tag.name}`], depth + 1).statements : [];
    return attempt(() => tagOf(tag, body)) ?? body;
  }

  #branch(tag: MarkupToken, depth: number): Statement {
    const ends = ["elsif", "else", "when", `end${tag.name}`];
    const arms: Arm[] = [];
    let opener: MarkupToken = tag;
    let isExhaustive = false;
    for (;;) {
      const { name } = opener;
      const piece = markupOf(opener);
      const tests = name === "else" ? [] : (attempt(() => testsIn(name, piece)) ?? []);
      if (name === "else") isExhaustive = true;
      const { statements, end } = this.body(ends, depth + 1);
      arms.push({ tests, body: statements });
      if (end === undefined || end.name === `end${tag.name}`) break;
      opener = end;
    }
    // Markup before the first `when` belongs to no branch.
    const [head, first] = arms;
    if (tag.name === "case" && head !== undefined && first !== undefined)
      arms.splice(0, 2, { tests: [...head.tests, ...first.tests], body: first.body });
    return { kind: "branch", at: tag.begin, arms, isExhaustive };
  }

  #loop(tag: MarkupToken, depth: number): Statement[] {
    const main = this.body(["else", `end${tag.name}`], depth + 1);
    const otherwise = main.end?.name === "else" ? this.body([`end${tag.name}`], depth + 1).statements : [];
    const loop = attempt(() => either(markupOf(tag), readStrictLoop, readLaxLoop));
    if (loop === undefined) return [];
    const values = [loop.list, ...loop.options.map(({ value }) => value)].filter(
      // In `offset: continue`, `continue` is a keyword.
      (value) => !(value.kind === "variable" && value.name === "continue"),
    );
    const { variable } = loop;
    return [{ kind: "loop", at: tag.begin, tag: tag.name, variable, values, body: main.statements, otherwise }];
  }
}

/** Returns the expressions that a tag compares. */
function testsIn(name: string, piece: MarkupSlice): Expression[] {
  if (name === "if" || name === "unless" || name === "elsif")
    return comparedIn(either(piece, readCondition, parseLaxCondition));
  return Array.from(piece.text.matchAll(fragments), ({ 0: text, index }) => ({ text, at: piece.at + index }))
    .filter(({ text }) => text !== "or")
    .map((one) => parseLaxExpression(one));
}

function comparedIn({ left, right, next }: Condition): Expression[] {
  return [left, ...(right === undefined ? [] : [right]), ...(next === undefined ? [] : comparedIn(next))];
}

function outputOf(token: MarkupToken): Statement {
  return { kind: "output", at: token.begin, value: filteredIn(markupOf(token)) };
}

function filteredIn(piece: MarkupSlice): FilteredValue {
  return either(piece, readFilteredValue, parseLaxFilteredValue);
}

/** Parses a tag with its body.  @returns undefined if the tag cannot be parsed */
function tagOf(tag: MarkupToken, body: Statement[]): Statement[] | undefined {
  const { name, markup, begin: at } = tag;
  const piece = markupOf(tag);
  const [word = ""] = /[\w.-]+/.exec(markup) ?? [];
  switch (name) {
    case "echo":
      return [outputOf(tag)];
    case "assign": {
      const [head = "", variable] = /^.*?([\w-]+)\s*=/s.exec(markup) ?? [];
      if (variable === undefined) return undefined;
      const value = filteredIn({ text: markup.slice(head.length), at: piece.at + head.length });
      return [{ kind: "assign", at, name: variable, value }];
    }
    case "capture":
      return [{ kind: "capture", at, name: word, body }];
    case "increment":
    case "decrement":
      return [{ kind: "capture", at, name: word, body: [] }];
    case "render":
    case "include": {
      const call = either(piece, readCall, readLaxCall);
      if (call === undefined) return undefined;
      const { boundValue, alias, isForEach, args } = call;
      const values: Argument[] =
        boundValue === undefined ? [] : [{ name: alias ?? "", value: boundValue, isEach: isForEach }];
      return [{ kind: "call", at, tag: name, name: textIn(call.name), values: [...values, ...args] }];
    }
    case "block": {
      const { first, args } = either(piece, readFirst, readLaxFirst);
      return [{ kind: "call", at, tag: name, name: textIn(first), values: args }, ...body];
    }
    case "section":
    case "sections":
    case "layout":
    case "content_for": {
      const { first, args } = either(piece, readFirst, readLaxFirst);
      return [{ kind: "call", at, tag: name, name: textIn(first), values: args }];
    }
    default:
      return [{ kind: "tag", at, tag: name, values: withValues.has(name) ? valuesIn(piece) : [], body }];
  }
}

/** Tags whose markup is a list of values. */
const withValues = new Set(["form", "paginate", "cycle"]);

interface First {
  readonly first: Expression;
  readonly args: readonly Argument[];
}

function readFirst(lexer: Lexer): First {
  return { first: readExpression(lexer), args: readArguments(lexer, true) };
}

function readLaxFirst(piece: MarkupSlice): First {
  return {
    first: parseLaxExpression({ text: piece.text.split(",", 1)[0] ?? "", at: piece.at }),
    args: parseLaxArguments(piece),
  };
}

/** Returns the values in a tag's markup: `'product', product, id: form_id`, or `collection.products by 12`. */
function valuesIn(piece: MarkupSlice): Expression[] {
  return Array.from(piece.text.matchAll(fragments), ({ 0: text, index }) => ({ text, at: piece.at + index }))
    .filter(({ text }) => text !== "by" && !text.endsWith(":"))
    .map((one) => parseLaxExpression(one));
}

const fragments = new RegExp(fragmentSource, "g");

function textIn(expression: Expression): string | undefined {
  return expression.kind === "literal" && typeof expression.value === "string" ? expression.value : undefined;
}

/** Parses strictly, and if that fails, leniently. */
function either<Strict, Lax>(
  piece: MarkupSlice,
  strict: (lexer: Lexer) => Strict,
  lax: (piece: MarkupSlice) => Lax,
): Strict | Lax {
  return attempt(() => strict(new Lexer(piece.text, piece.at))) ?? lax(piece);
}

/** Calls a parser.  @returns undefined if parsing fails */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

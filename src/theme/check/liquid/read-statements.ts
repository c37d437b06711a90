import type { Condition, Expression, FilteredValue, MarkupToken } from "@vitrine/liquid/tree";
import {
  fragmentSource,
  Lexer,
  type MarkupSlice,
  markupOf,
  parseLaxCondition,
  parseLaxExpression,
  parseLaxFilteredValue,
  readCall,
  readCondition,
  readFilteredValue,
  readLaxCall,
  readLaxLoop,
  readMarkup,
  readStrictLoop,
} from "@vitrine/liquid/tree";
import { getLiteralText, readBlockCall, readContentCall, readLaxContentCall } from "../../tags/sections.ts";
import type { Argument, ConditionBranch, LiquidStatement } from "./statements.ts";

/** Parses a Liquid file into statements.  @param source Liquid without data blocks such as `{% schema %}` */
export function readStatements(source: string): LiquidStatement[] {
  const tokens = readMarkup(source);
  const blockTags = new Set<string>();
  for (const token of tokens)
    if (token.kind === "tag" && token.name.startsWith("end")) blockTags.add(token.name.slice("end".length));
  return new StatementReader(tokens, blockTags).body([]).statements;
}

interface ParsedBody {
  readonly statements: LiquidStatement[];
  /** Tag that ends the body, or undefined at the end of the text. */
  readonly end?: MarkupToken;
}

class StatementReader {
  readonly #tokens: readonly MarkupToken[];
  readonly #closedTags: ReadonlySet<string>;
  #nextIndex = 0;

  constructor(tokens: readonly MarkupToken[], blockTags: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#closedTags = blockTags;
  }

  /** Parses statements up to one of the given end tags, or up to the end tag of an enclosing tag. */
  body(endTags: readonly string[], depth = 0): ParsedBody {
    const statements: LiquidStatement[] = [];
    for (let token = this.#tokens[this.#nextIndex]; token !== undefined; token = this.#tokens[this.#nextIndex]) {
      this.#nextIndex += 1;
      if (token.kind === "output") {
        statements.push(parseOutput(token));
        continue;
      }
      if (endTags.includes(token.name)) return { statements, end: token };
      if (token.name.startsWith("end")) {
        // An end tag without a start tag is skipped, because the engine's parser reports it.
        if (depth === 0 || !this.#closedTags.has(token.name.slice("end".length))) continue;
        this.#nextIndex -= 1;
        return { statements };
      }
      statements.push(...this.#readStatement(token, depth));
    }
    return { statements };
  }

  #readStatement(tag: MarkupToken, depth: number): LiquidStatement[] {
    const hasBody = this.#closedTags.has(tag.name) && depth < 200;
    if (hasBody && ["if", "unless", "case"].includes(tag.name)) return [this.#readConditionBranches(tag, depth)];
    if (hasBody && ["for", "tablerow"].includes(tag.name)) return this.#readLoop(tag, depth);
    const body = hasBody ? this.body([`end${tag.name}`], depth + 1).statements : [];
    return tryParse(() => parseTag(tag, body)) ?? body;
  }

  #readConditionBranches(tag: MarkupToken, depth: number): LiquidStatement {
    const endTags = ["elsif", "else", "when", `end${tag.name}`];
    const branches: ConditionBranch[] = [];
    let openingTag: MarkupToken = tag;
    let isExhaustive = false;
    for (;;) {
      const { name } = openingTag;
      const markupSlice = markupOf(openingTag);
      const conditions = name === "else" ? [] : (tryParse(() => parseConditions(name, markupSlice)) ?? []);
      if (name === "else") isExhaustive = true;
      const { statements, end } = this.body(endTags, depth + 1);
      branches.push({ conditions, body: statements });
      if (end === undefined || end.name === `end${tag.name}`) break;
      openingTag = end;
    }
    // Content between `case` and the first `when` is never rendered.
    const [branchBeforeWhen, whenBranch] = branches;
    if (tag.name === "case" && branchBeforeWhen !== undefined && whenBranch !== undefined)
      branches.splice(0, 2, {
        conditions: [...branchBeforeWhen.conditions, ...whenBranch.conditions],
        body: whenBranch.body,
      });
    return { kind: "branch", offset: tag.begin, branches, isExhaustive };
  }

  #readLoop(tag: MarkupToken, depth: number): LiquidStatement[] {
    const mainBody = this.body(["else", `end${tag.name}`], depth + 1);
    const elseBody = mainBody.end?.name === "else" ? this.body([`end${tag.name}`], depth + 1).statements : [];
    const loop = tryParse(() => parseWithFallback(markupOf(tag), readStrictLoop, readLaxLoop));
    if (loop === undefined) return [];
    const values = [loop.list, ...loop.options.map(({ value }) => value)].filter(
      // In `offset: continue`, `continue` is a keyword.
      (value) => !(value.kind === "variable" && value.name === "continue"),
    );
    const { variable } = loop;
    return [{ kind: "loop", offset: tag.begin, tag: tag.name, variable, values, body: mainBody.statements, elseBody }];
  }
}

/** Returns the expressions that a condition compares. */
function parseConditions(name: string, markupSlice: MarkupSlice): Expression[] {
  if (name === "if" || name === "unless" || name === "elsif")
    return collectOperands(parseWithFallback(markupSlice, readCondition, parseLaxCondition));
  return listFragments(markupSlice)
    .filter(({ text }) => text !== "or")
    .map((fragment) => parseLaxExpression(fragment));
}

function collectOperands({ left, right, next }: Condition): Expression[] {
  return [left, ...(right === undefined ? [] : [right]), ...(next === undefined ? [] : collectOperands(next))];
}

function parseOutput(token: MarkupToken): LiquidStatement {
  return { kind: "output", offset: token.begin, value: parseFilteredValue(markupOf(token)) };
}

function parseFilteredValue(markupSlice: MarkupSlice): FilteredValue {
  return parseWithFallback(markupSlice, readFilteredValue, parseLaxFilteredValue);
}

/** Parses a tag with its body.  @returns undefined if the tag cannot be parsed */
function parseTag(tag: MarkupToken, body: LiquidStatement[]): LiquidStatement[] | undefined {
  const { name, markup, begin: tagOffset } = tag;
  const markupSlice = markupOf(tag);
  const [firstWord = ""] = /[\w.-]+/.exec(markup) ?? [];
  switch (name) {
    case "echo":
      return [parseOutput(tag)];
    case "assign": {
      const [prefix = "", variable] = /^.*?([\w-]+)\s*=/s.exec(markup) ?? [];
      if (variable === undefined) return undefined;
      const value = parseFilteredValue({ text: markup.slice(prefix.length), at: markupSlice.at + prefix.length });
      return [{ kind: "assign", offset: tagOffset, name: variable, value }];
    }
    case "capture":
      return [{ kind: "capture", offset: tagOffset, name: firstWord, body }];
    case "increment":
    case "decrement":
      return [{ kind: "capture", offset: tagOffset, name: firstWord, body: [] }];
    case "render":
    case "include": {
      const snippetCall = parseWithFallback(markupSlice, readCall, readLaxCall);
      if (snippetCall === undefined) return undefined;
      const { boundValue, alias, isForEach, args } = snippetCall;
      const values: Argument[] = boundValue === undefined ? [] : [{ name: alias ?? "", value: boundValue, isForEach }];
      return [
        {
          kind: "call",
          offset: tagOffset,
          tag: name,
          name: getLiteralText(snippetCall.name),
          values: [...values, ...args],
        },
      ];
    }
    case "block": {
      const { kind, args } = parseWithFallback(markupSlice, readBlockCall, readLaxContentCall);
      return [{ kind: "call", offset: tagOffset, tag: name, name: getLiteralText(kind), values: args }, ...body];
    }
    case "section":
    case "sections":
    case "layout":
    case "content_for": {
      const { kind, args } = parseWithFallback(markupSlice, readContentCall, readLaxContentCall);
      return [{ kind: "call", offset: tagOffset, tag: name, name: getLiteralText(kind), values: args }];
    }
    default:
      return [
        {
          kind: "tag",
          offset: tagOffset,
          tag: name,
          values: tagsWithValues.has(name) ? parseValues(markupSlice) : [],
          body,
        },
      ];
  }
}

/** Tags whose arguments are a list of values. */
const tagsWithValues = new Set(["form", "paginate", "cycle"]);

/** Returns the values in a tag's markup: `'product', product, id: form_id`, or `collection.products by 12`. */
function parseValues(markupSlice: MarkupSlice): Expression[] {
  return listFragments(markupSlice)
    .filter(({ text }) => text !== "by" && !text.endsWith(":"))
    .map((fragment) => parseLaxExpression(fragment));
}

function listFragments({ text, at }: MarkupSlice): MarkupSlice[] {
  return Array.from(text.matchAll(fragmentPattern), (match) => ({ text: match[0], at: at + match.index }));
}

const fragmentPattern = new RegExp(fragmentSource, "g");

/** Parses a tag's arguments with the strict parser. If that fails, uses the lenient parser. */
function parseWithFallback<Strict, Lax>(
  markupSlice: MarkupSlice,
  parseStrict: (lexer: Lexer) => Strict,
  parseLax: (markupSlice: MarkupSlice) => Lax,
): Strict | Lax {
  return tryParse(() => parseStrict(new Lexer(markupSlice.text, markupSlice.at))) ?? parseLax(markupSlice);
}

/** Calls a parser.  @returns undefined if parsing fails */
function tryParse<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

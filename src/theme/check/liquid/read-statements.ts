import { type Liquid, type Token, type Tokenizer, TypeGuards } from "liquidjs";
import { readTokens } from "./read-tokens.ts";
import { type Argument, type Arm, type RawOutput, type RawTag, type Statement, tokenizerOf } from "./statements.ts";

/** @param source Liquid without its data blocks */
export function readStatements(source: string, file: string, liquid: Liquid): Statement[] {
  const tokens = readTokens(source, file, liquid);
  const closed = new Set<string>();
  for (const token of tokens)
    if (token.kind === "tag" && token.name.startsWith("end")) closed.add(token.name.slice("end".length));
  return new Reader(tokens, closed, liquid).body([]).statements;
}

interface Body {
  readonly statements: Statement[];
  /** The tag that ended it; absent: the text ended. */
  readonly end?: RawTag;
}

class Reader {
  readonly #tokens: readonly (RawTag | RawOutput)[];
  readonly #closed: ReadonlySet<string>;
  readonly #liquid: Liquid;
  #next = 0;

  constructor(tokens: readonly (RawTag | RawOutput)[], closed: ReadonlySet<string>, liquid: Liquid) {
    this.#tokens = tokens;
    this.#closed = closed;
    this.#liquid = liquid;
  }

  /** Reads to one of these tags, or to an end tag that some tag around waits for. */
  body(ends: readonly string[], depth = 0): Body {
    const statements: Statement[] = [];
    for (let token = this.#tokens[this.#next]; token !== undefined; token = this.#tokens[this.#next]) {
      this.#next += 1;
      if (token.kind === "output") {
        statements.push(...this.#attempt(token, (tokenizer, at) => outputOf(tokenizer, at)));
        continue;
      }
      if (ends.includes(token.name)) return { statements, end: token };
      if (token.name.startsWith("end")) {
        // An end tag without its beginning: the engine reports it, where nothing around is closed by it.
        if (depth === 0 || !this.#closed.has(token.name.slice("end".length))) continue;
        this.#next -= 1;
        return { statements };
      }
      statements.push(...this.#statement(token, depth));
    }
    return { statements };
  }

  #statement(tag: RawTag, depth: number): Statement[] {
    const hasBody = this.#closed.has(tag.name) && depth < 200;
    if (hasBody && ["if", "unless", "case"].includes(tag.name)) return [this.#branch(tag, depth)];
    if (hasBody && ["for", "tablerow"].includes(tag.name)) return this.#loop(tag, depth);
    const body = hasBody ? this.body([`end${tag.name}`], depth + 1).statements : [];
    return this.#attempt(tag, (tokenizer, at) => tagOf(tag.name, tokenizer, at, body), body);
  }

  #branch(tag: RawTag, depth: number): Statement {
    const ends = ["elsif", "else", "when", `end${tag.name}`];
    const arms: Arm[] = [];
    let opener: RawTag = tag;
    let isWhole = false;
    for (;;) {
      const tests = this.#tests(opener);
      if (opener.name === "else") isWhole = true;
      const { statements, end } = this.body(ends, depth + 1);
      arms.push({ tests, body: statements });
      if (end === undefined || end.name === `end${tag.name}`) break;
      opener = end;
    }
    // What stands before the first `when` is nothing's arm.
    const [head, first] = arms;
    if (tag.name === "case" && head !== undefined && first !== undefined)
      arms.splice(0, 2, { tests: [...head.tests, ...first.tests], body: first.body });
    return { kind: "branch", at: tag.at, arms, isWhole };
  }

  #tests(tag: RawTag): readonly Token[] {
    try {
      const tokenizer = tokenizerOf(tag, this.#liquid);
      if (tag.name === "else") return [];
      if (tag.name !== "when" && tag.name !== "case") return [tokenizer.readFilteredValue()];
      const values: Token[] = [];
      while (!tokenizer.end()) {
        const value = tokenizer.readValue();
        if (value !== undefined) values.push(value);
        else if (!tokenizer.end()) tokenizer.advance();
      }
      return values.filter((value) => value.getText() !== "or");
    } catch {
      return [];
    }
  }

  #loop(tag: RawTag, depth: number): Statement[] {
    const main = this.body(["else", `end${tag.name}`], depth + 1);
    const otherwise = main.end?.name === "else" ? this.body([`end${tag.name}`], depth + 1).statements : [];
    return this.#attempt(tag, (tokenizer, at) => {
      const variable = tokenizer.readIdentifier().content;
      tokenizer.readIdentifier();
      const list = tokenizer.readValueOrThrow();
      const values = [list, ...argumentsOf(tokenizer).map(({ value }) => value)].filter(
        // `offset: continue` is no variable.
        (value) => value.getText() !== "continue",
      );
      return { kind: "loop", at, tag: tag.name, variable, values, body: main.statements, otherwise };
    });
  }

  /** Where the tag cannot be read, what stands in it is kept. */
  #attempt(
    raw: RawTag | RawOutput,
    read: (tokenizer: Tokenizer, at: number) => Statement,
    otherwise: Statement[] = [],
  ): Statement[] {
    try {
      return [read(tokenizerOf(raw, this.#liquid), raw.at)];
    } catch {
      return otherwise;
    }
  }
}

function outputOf(tokenizer: Tokenizer, at: number): Statement {
  return { kind: "output", at, value: tokenizer.readFilteredValue() };
}

function tagOf(name: string, tokenizer: Tokenizer, at: number, body: Statement[]): Statement {
  switch (name) {
    case "echo":
      return outputOf(tokenizer, at);
    case "assign": {
      const variable = tokenizer.readIdentifier().content;
      if (tokenizer.readTo("=") < 0) throw new Error("assign without =");
      return { kind: "assign", at, name: variable, value: tokenizer.readFilteredValue() };
    }
    case "capture":
      return { kind: "capture", at, name: tokenizer.readQuoted()?.content ?? tokenizer.readIdentifier().content, body };
    case "increment":
    case "decrement":
      return { kind: "capture", at, name: tokenizer.readIdentifier().content, body: [] };
    case "render":
    case "include":
      return {
        kind: "call",
        at,
        tag: name,
        name: tokenizer.readQuoted()?.content,
        values: snippetArguments(tokenizer),
      };
    case "section":
    case "sections":
    case "layout":
    case "content_for":
      return { kind: "call", at, tag: name, name: tokenizer.readQuoted()?.content, values: argumentsOf(tokenizer) };
    default:
      return { kind: "tag", at, tag: name, values: withValues.has(name) ? valuesOf(tokenizer) : [], body };
  }
}

/** Tags with values in them, which are read as such. */
const withValues = new Set(["form", "paginate", "cycle"]);

/** `'card' with item as product, size: 2`, or `for items as product`. */
function snippetArguments(tokenizer: Tokenizer): Argument[] {
  const before = tokenizer.p;
  const word = tokenizer.readIdentifier().content;
  tokenizer.skipBlank();
  if ((word !== "with" && word !== "for") || tokenizer.peek() === ":") {
    tokenizer.p = before;
    return argumentsOf(tokenizer);
  }
  const value = tokenizer.readValueOrThrow();
  const then = tokenizer.p;
  let name = "";
  if (tokenizer.readIdentifier().content === "as") name = tokenizer.readIdentifier().content;
  else tokenizer.p = then;
  return [{ name, value, isEach: word === "for" }, ...argumentsOf(tokenizer)];
}

function argumentsOf(tokenizer: Tokenizer): Argument[] {
  const read: Argument[] = [];
  for (;;) {
    tokenizer.skipBlank();
    if (tokenizer.peek() === ",") tokenizer.advance();
    const name = tokenizer.readNonEmptyIdentifier();
    if (name === undefined) return read;
    // `closest.product: p`
    let path = name.content;
    while (tokenizer.peek() === ".") {
      tokenizer.advance();
      path += `.${tokenizer.readIdentifier().content}`;
    }
    tokenizer.skipBlank();
    if (tokenizer.peek() !== ":") continue;
    tokenizer.advance();
    const value = tokenizer.readValue();
    if (value !== undefined) read.push({ name: path, value });
  }
}

/** `'product', product, id: form_id`, or `collection.products by 12`. */
function valuesOf(tokenizer: Tokenizer): Token[] {
  const values: Token[] = [];
  while (!tokenizer.end()) {
    tokenizer.skipBlank();
    if (tokenizer.end()) break;
    const value = tokenizer.readValue();
    tokenizer.skipBlank();
    if (value === undefined || tokenizer.peek() === ":") tokenizer.advance();
    else values.push(value);
  }
  return values.filter((value) => !(TypeGuards.isPropertyAccessToken(value) && value.getText() === "by"));
}

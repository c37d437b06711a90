import type { Expression } from "@vitrine/liquid/tree";
import { memoizePerObject } from "../../../runtime/cache.ts";
import { evaluate, evaluateFiltered, type FilterUse, type Surroundings } from "./evaluate.ts";
import type { Argument, Statement } from "./statements.ts";
import { isSame, join, ofType, unknown, type Value } from "./value.ts";

/** Receives the effects of a file, in source order. */
export interface Listener {
  variable(name: string, at: number): Value | undefined;
  filter(use: FilterUse): void;
  unknownField(at: number, message: string): void;
  emptyField(at: number, message: string): void;
  tag(name: string, at: number): void;
  /** Called for a value that is printed as HTML. */
  printed(value: Value, at: number): void;
  /** Called for a tag that includes another file with arguments. */
  call(call: Call): void;
}

export interface Call {
  readonly tag: string;
  readonly at: number;
  /** Name of the file, or undefined if it is not a string literal. */
  readonly name: string | undefined;
  readonly values: ReadonlyMap<string, Value>;
}

/**
 * Walks through a file from start to end and tracks what is known about its variables.
 * @param variables arguments of the file
 */
export function walk(
  statements: readonly Statement[],
  variables: Iterable<readonly [string, Value]>,
  to: Listener,
): void {
  new Walk(to, new Map(variables)).all(statements);
}

class Walk implements Surroundings {
  #variables: Map<string, Value>;
  readonly #to: Listener;
  /** Number of enclosing loops in their first pass, which reports nothing and only collects assigned variables. */
  #silent = 0;
  /** Enclosing captures, each with the text printed into it. */
  readonly #captures: Value[] = [];

  constructor(to: Listener, variables: Map<string, Value>) {
    this.#to = to;
    this.#variables = variables;
  }

  all(statements: readonly Statement[]): void {
    for (const statement of statements) this.#one(statement);
  }

  variable(name: string, at: number): Value | undefined {
    return this.#variables.get(name) ?? this.#to.variable(name, this.#silent > 0 ? -1 : at);
  }

  filter(use: FilterUse): void {
    if (this.#silent === 0) this.#to.filter(use);
  }

  unknownField(at: number, message: string): void {
    if (this.#silent === 0) this.#to.unknownField(at, message);
  }

  emptyField(at: number, message: string): void {
    if (this.#silent === 0) this.#to.emptyField(at, message);
  }

  #one(statement: Statement): void {
    if (this.#silent === 0) this.#to.tag(tagName(statement), statement.at);
    switch (statement.kind) {
      case "output":
        this.#print(evaluateFiltered(statement.value, this), statement.at);
        return;
      case "assign":
        this.#variables.set(statement.name, evaluateFiltered(statement.value, this));
        return;
      case "capture":
        this.#capture(statement.name, statement.body);
        return;
      case "branch":
        this.#branch(statement);
        return;
      case "loop":
        this.#loop(statement);
        return;
      case "call":
        this.#call(statement.tag, statement.name, statement.values, statement.at);
        return;
      case "tag":
        this.#tag(statement.tag, statement.values, statement.body);
        return;
    }
  }

  #print(value: Value, at: number): void {
    const capture = this.#captures.pop();
    if (capture !== undefined) this.#captures.push(join(capture, onlyWritten(value)));
    else if (this.#silent === 0) this.#to.printed(value, at);
  }

  #capture(name: string, body: readonly Statement[]): void {
    this.#captures.push(unknown);
    this.all(body);
    this.#variables.set(name, onlyWritten(this.#captures.pop() ?? unknown));
  }

  #branch({ arms, isExhaustive: isWhole }: Extract<Statement, { kind: "branch" }>): void {
    if (!arms.some(({ body }) => givesValues(body))) {
      for (const { tests, body } of arms) {
        for (const test of tests) evaluate(test, this);
        this.all(body);
      }
      return;
    }
    const before = this.#variables;
    const ends: Map<string, Value>[] = isWhole ? [] : [before];
    for (const { tests, body } of arms) {
      this.#variables = new Map(before);
      for (const test of tests) evaluate(test, this);
      this.all(body);
      ends.push(this.#variables);
    }
    this.#variables = ends.reduce((left, right) => joinAll(left, right));
  }

  /** Walks through a loop twice, since variables assigned at the end of the body are known at its start. */
  #loop({ tag, variable, values, body, otherwise }: Extract<Statement, { kind: "loop" }>): void {
    const [list] = values.map((value) => evaluate(value, this));
    const item = list?.item ?? (list?.shopperText === undefined ? unknown : { shopperText: list.shopperText });
    const before = new Map(this.#variables);
    const inside = (): void => {
      this.#variables.set(variable, item);
      this.#variables.set(tag === "for" ? "forloop" : "tablerowloop", unknown);
      this.all(body);
    };
    this.#silent += 1;
    if (this.#silent === 1) {
      inside();
      this.#variables = joinAll(before, this.#variables);
    }
    this.#silent -= 1;
    inside();
    const after = joinAll(before, this.#variables);
    for (const name of [variable, "forloop", "tablerowloop"]) restore(after, name, before.get(name));
    this.#variables = after;
    this.all(otherwise);
  }

  #call(tag: string, name: string | undefined, given: readonly Argument[], at: number): void {
    const values = new Map<string, Value>();
    for (const { name: parameter, value, isEach } of given) {
      const found = evaluate(value, this);
      values.set(parameter === "" ? (name ?? "") : parameter, isEach ? (found.item ?? unknown) : found);
    }
    if (this.#silent === 0) this.#to.call({ tag, at, name, values });
  }

  #tag(tag: string, values: readonly Expression[], body: readonly Statement[]): void {
    for (const value of values) evaluate(value, this);
    const scoped = scopes.get(tag);
    const before = scoped === undefined ? undefined : this.#variables.get(scoped);
    if (scoped !== undefined) this.#variables.set(scoped, this.#to.variable(scoped, -1) ?? ofType(scoped));
    this.all(body);
    if (scoped !== undefined) restore(this.#variables, scoped, before);
  }
}

/** Returns whether a tag in the body assigns a variable that outlives the body. */
const givesValues: (statements: readonly Statement[]) => boolean = memoizePerObject(
  (statements: readonly Statement[]) =>
    statements.some(
      (statement) =>
        statement.kind === "assign" ||
        statement.kind === "capture" ||
        ("body" in statement && givesValues(statement.body)) ||
        ("otherwise" in statement && givesValues(statement.otherwise)) ||
        (statement.kind === "branch" && statement.arms.some(({ body }) => givesValues(body))),
    ),
);

/** Names of the variables that tags define for their body, by tag. */
const scopes: ReadonlyMap<string, string> = new Map([
  ["form", "form"],
  ["paginate", "paginate"],
]);

function tagName(statement: Statement): string {
  if ("tag" in statement) return statement.tag;
  return statement.kind === "branch" || statement.kind === "output" ? "" : statement.kind;
}

function onlyWritten({ shopperText }: Value): Value {
  return shopperText === undefined ? unknown : { shopperText };
}

function joinAll(left: ReadonlyMap<string, Value>, right: ReadonlyMap<string, Value>): Map<string, Value> {
  const all = new Map(left);
  for (const [name, value] of right) {
    const other = left.get(name);
    if (!isSame(other, value)) all.set(name, join(other, value));
  }
  return all;
}

function restore(variables: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
}

import type { Expression } from "@vitrine/liquid/tree";
import { memoizePerObject } from "../../../runtime/cache.ts";
import { type CheckedFilterCall, type EvaluationScope, evaluate, evaluateFilteredValue } from "./evaluate.ts";
import type { Argument, LiquidStatement } from "./statements.ts";
import { isSameValue, joinValues, parseType, unknownValue, type Value } from "./value.ts";

/** Receives the variables, filters, tags and outputs of a file, in source order. */
export interface LiquidListener extends EvaluationScope {
  tag(name: string, offset: number): void;
  /** Called for each value that is printed as HTML. */
  output(value: Value, offset: number): void;
  /** Called for a tag that includes another file with arguments. */
  call(call: SnippetUsage): void;
}

export interface SnippetUsage {
  readonly tag: string;
  readonly offset: number;
  /** Name of the file, or undefined if it is not a string literal. */
  readonly name: string | undefined;
  readonly values: ReadonlyMap<string, Value>;
}

/** Analyzes a file from start to end and tracks the types of its variables.  @param variables arguments of the file */
export function walkStatements(
  statements: readonly LiquidStatement[],
  variables: Iterable<readonly [string, Value]>,
  listener: LiquidListener,
): void {
  new StatementWalker(listener, new Map(variables)).walkStatements(statements);
}

class StatementWalker implements EvaluationScope {
  #variables: Map<string, Value>;
  readonly #walkListener: LiquidListener;
  /** Number of enclosing loops whose body is analyzed for the first time. The first pass reports no problems. */
  #firstPassDepth = 0;
  /** Text that is printed inside each open `capture` tag. */
  readonly #capturedValues: Value[] = [];

  constructor(listener: LiquidListener, variables: Map<string, Value>) {
    this.#walkListener = listener;
    this.#variables = variables;
  }

  walkStatements(statements: readonly LiquidStatement[]): void {
    for (const statement of statements) this.#walkStatement(statement);
  }

  variable(name: string, offset: number): Value | undefined {
    return this.#variables.get(name) ?? this.#walkListener.variable(name, this.#firstPassDepth > 0 ? -1 : offset);
  }

  filter(filterCall: CheckedFilterCall): void {
    if (this.#firstPassDepth === 0) this.#walkListener.filter(filterCall);
  }

  onUnknownField(offset: number, message: string): void {
    if (this.#firstPassDepth === 0) this.#walkListener.onUnknownField(offset, message);
  }

  onEmptyField(offset: number, message: string): void {
    if (this.#firstPassDepth === 0) this.#walkListener.onEmptyField(offset, message);
  }

  #walkStatement(statement: LiquidStatement): void {
    if (this.#firstPassDepth === 0) this.#walkListener.tag(getTagName(statement), statement.offset);
    switch (statement.kind) {
      case "output":
        this.#walkOutput(evaluateFilteredValue(statement.value, this), statement.offset);
        return;
      case "assign":
        this.#variables.set(statement.name, evaluateFilteredValue(statement.value, this));
        return;
      case "capture":
        this.#walkCapture(statement.name, statement.body);
        return;
      case "branch":
        this.#walkBranches(statement);
        return;
      case "loop":
        this.#walkLoop(statement);
        return;
      case "call":
        this.#walkCall(statement.tag, statement.name, statement.values, statement.offset);
        return;
      case "tag":
        this.#walkTag(statement.tag, statement.values, statement.body);
        return;
    }
  }

  #walkOutput(value: Value, offset: number): void {
    const capture = this.#capturedValues.pop();
    if (capture !== undefined) this.#capturedValues.push(joinValues(capture, keepShopperText(value)));
    else if (this.#firstPassDepth === 0) this.#walkListener.output(value, offset);
  }

  #walkCapture(name: string, body: readonly LiquidStatement[]): void {
    this.#capturedValues.push(unknownValue);
    this.walkStatements(body);
    this.#variables.set(name, keepShopperText(this.#capturedValues.pop() ?? unknownValue));
  }

  #walkBranches({ branches, isExhaustive }: Extract<LiquidStatement, { kind: "branch" }>): void {
    if (!branches.some(({ body }) => assignsVariables(body))) {
      for (const { conditions, body } of branches) {
        for (const condition of conditions) evaluate(condition, this);
        this.walkStatements(body);
      }
      return;
    }
    const initialVariables = this.#variables;
    const variablesByBranch: Map<string, Value>[] = isExhaustive ? [] : [initialVariables];
    for (const { conditions, body } of branches) {
      this.#variables = new Map(initialVariables);
      for (const condition of conditions) evaluate(condition, this);
      this.walkStatements(body);
      variablesByBranch.push(this.#variables);
    }
    this.#variables = variablesByBranch.reduce((left, right) => joinVariables(left, right));
  }

  /** Analyzes a loop body twice, because a variable assigned in one iteration is defined in the next iteration. */
  #walkLoop({ tag, variable, values, body, elseBody }: Extract<LiquidStatement, { kind: "loop" }>): void {
    const [list] = values.map((value) => evaluate(value, this));
    const item = list?.item ?? (list?.shopperText === undefined ? unknownValue : { shopperText: list.shopperText });
    const initialVariables = new Map(this.#variables);
    const walkBody = (): void => {
      this.#variables.set(variable, item);
      this.#variables.set(tag === "for" ? "forloop" : "tablerowloop", unknownValue);
      this.walkStatements(body);
    };
    this.#firstPassDepth += 1;
    if (this.#firstPassDepth === 1) {
      walkBody();
      this.#variables = joinVariables(initialVariables, this.#variables);
    }
    this.#firstPassDepth -= 1;
    walkBody();
    const mergedVariables = joinVariables(initialVariables, this.#variables);
    for (const name of [variable, "forloop", "tablerowloop"])
      restoreVariable(mergedVariables, name, initialVariables.get(name));
    this.#variables = mergedVariables;
    this.walkStatements(elseBody);
  }

  #walkCall(tag: string, name: string | undefined, args: readonly Argument[], offset: number): void {
    const values = new Map<string, Value>();
    for (const { name: parameter, value, isForEach } of args) {
      const result = evaluate(value, this);
      values.set(parameter === "" ? (name ?? "") : parameter, isForEach ? (result.item ?? unknownValue) : result);
    }
    if (this.#firstPassDepth === 0) this.#walkListener.call({ tag, offset, name, values });
  }

  #walkTag(tag: string, values: readonly Expression[], body: readonly LiquidStatement[]): void {
    for (const value of values) evaluate(value, this);
    const scopedVariable = scopedVariables.get(tag);
    const previousValue = scopedVariable === undefined ? undefined : this.#variables.get(scopedVariable);
    if (scopedVariable !== undefined)
      this.#variables.set(scopedVariable, this.#walkListener.variable(scopedVariable, -1) ?? parseType(scopedVariable));
    this.walkStatements(body);
    if (scopedVariable !== undefined) restoreVariable(this.#variables, scopedVariable, previousValue);
  }
}

/** Returns whether the statements contain an `assign` or `capture` tag, also in nested tags. */
const assignsVariables: (statements: readonly LiquidStatement[]) => boolean = memoizePerObject(
  (statements: readonly LiquidStatement[]) =>
    statements.some(
      (statement) =>
        statement.kind === "assign" ||
        statement.kind === "capture" ||
        ("body" in statement && assignsVariables(statement.body)) ||
        ("elseBody" in statement && assignsVariables(statement.elseBody)) ||
        (statement.kind === "branch" && statement.branches.some(({ body }) => assignsVariables(body))),
    ),
);

/** Variable that a tag defines inside its body, by tag name. */
const scopedVariables: ReadonlyMap<string, string> = new Map([
  ["form", "form"],
  ["paginate", "paginate"],
]);

function getTagName(statement: LiquidStatement): string {
  if ("tag" in statement) return statement.tag;
  return statement.kind === "branch" || statement.kind === "output" ? "" : statement.kind;
}

function keepShopperText({ shopperText }: Value): Value {
  return shopperText === undefined ? unknownValue : { shopperText };
}

function joinVariables(left: ReadonlyMap<string, Value>, right: ReadonlyMap<string, Value>): Map<string, Value> {
  const joinedVariables = new Map(left);
  for (const [name, value] of right) {
    const leftValue = left.get(name);
    if (!isSameValue(leftValue, value)) joinedVariables.set(name, joinValues(leftValue, value));
  }
  return joinedVariables;
}

function restoreVariable(variables: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
}

/** A parsed expression. The field `at` is its offset in the source. */
export type Expression = Literal | Variable | RangeExpression;

export interface Literal {
  readonly kind: "literal";
  readonly at: number;
  readonly value: unknown;
  /**
   * Set for the keywords `blank` and `empty`. In a comparison, the keyword tests the other operand. Elsewhere, its
   * value is an empty string.
   */
  readonly keyword?: "blank" | "empty";
}

/** A variable with the keys that select a part of it: `product.variants[0].title`, `['a b'].c`. */
export interface Variable {
  readonly kind: "variable";
  readonly at: number;
  readonly name: string | Expression;
  readonly keys: readonly Key[];
}

export interface Key {
  readonly at: number;
  /** Name of a field (`.name`), or an expression in brackets (`[expression]`). */
  readonly name: string | Expression;
}

export interface RangeExpression {
  readonly kind: "range";
  readonly at: number;
  readonly firstExpression: Expression;
  readonly lastExpression: Expression;
}

/** A value with filters: `value | filter: 1, name: 2`. */
export interface FilteredValue {
  readonly at: number;
  /** The value before the filters; undefined for an empty output, `{{ }}`. */
  readonly value: Expression | undefined;
  readonly filters: readonly FilterCall[];
}

export interface FilterCall {
  readonly at: number;
  readonly name: string;
  readonly args: readonly Expression[];
  readonly namedArgs: readonly NamedArgument[];
}

export interface NamedArgument {
  readonly at: number;
  readonly name: string;
  readonly value: Expression;
}

/** A condition, evaluated from the right: `a == b and c or d` is `a == b and (c or d)`. */
export interface Condition {
  readonly left: Expression;
  readonly operator?: string;
  readonly right?: Expression;
  readonly logicalOperator?: "and" | "or";
  readonly next?: Condition;
}

export const operators: ReadonlySet<string> = new Set(["==", "!=", "<>", "<", ">", "<=", ">=", "contains"]);

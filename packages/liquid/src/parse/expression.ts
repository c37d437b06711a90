/** A parsed expression. Offsets are in the source. */
export type Expression = Literal | Variable | RangeExpression;

export interface Literal {
  readonly kind: "literal";
  readonly at: number;
  readonly value: unknown;
  /** `blank` and `empty` test the other operand of a comparison; elsewhere they are an empty string. */
  readonly word?: "blank" | "empty";
}

/** `product.variants[0].title`, `['a b'].c` */
export interface Variable {
  readonly kind: "variable";
  readonly at: number;
  readonly name: string | Expression;
  readonly keys: readonly Key[];
}

export interface Key {
  readonly at: number;
  /** `.name`, or `[expression]` */
  readonly name: string | Expression;
}

export interface RangeExpression {
  readonly kind: "range";
  readonly at: number;
  readonly first: Expression;
  readonly last: Expression;
}

/** `value | filter: 1, name: 2` */
export interface Filtered {
  readonly at: number;
  /** undefined for `{{ }}` */
  readonly value: Expression | undefined;
  readonly filters: readonly FilterUse[];
}

export interface FilterUse {
  readonly at: number;
  readonly name: string;
  readonly args: readonly Expression[];
  readonly named: readonly NamedArgument[];
}

export interface NamedArgument {
  readonly at: number;
  readonly name: string;
  readonly value: Expression;
}

/** `a == b and c or d`: evaluated from the right. */
export interface Condition {
  readonly left: Expression;
  readonly operator?: string;
  readonly right?: Expression;
  readonly relation?: "and" | "or";
  readonly rest?: Condition;
}

export const operators: ReadonlySet<string> = new Set(["==", "!=", "<>", "<", ">", "<=", ">=", "contains"]);

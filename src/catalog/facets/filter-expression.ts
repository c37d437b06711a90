/**
 * Conditions on products, combined by operators. A condition on a field with several values, such as the prices of the
 * variants, matches if one of the values matches.
 */
export type FilterExpression =
  | { readonly kind: "and" | "or"; readonly parts: readonly FilterExpression[] }
  | { readonly kind: "not"; readonly part: FilterExpression }
  | FilterCondition;

export type FilterCondition =
  /** The product has a value of a facet. Case is ignored. */
  | { readonly kind: "value"; readonly facet: string; readonly value: string }
  /** The product has a number in a range: a price in minor units, or a value of another facet that is a number. */
  | ({ readonly kind: "number"; readonly facet: string } & NumberRange)
  | { readonly kind: "stock"; readonly isInStock: boolean };

/** A range of numbers. A limit belongs to the range unless it is open. Default: no limit. */
export interface NumberRange {
  readonly from?: number;
  readonly to?: number;
  readonly isFromOpen?: boolean;
  readonly isToOpen?: boolean;
}

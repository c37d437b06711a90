import type { Expression, FilteredValue } from "@vitrine/liquid/tree";

/**
 * A parsed tag or output of a Liquid file, with its expressions and offsets. A malformed tag is skipped, and parsing
 * continues after it.
 */
export type LiquidStatement =
  | { readonly kind: "output"; readonly offset: number; readonly value: FilteredValue }
  | { readonly kind: "assign"; readonly offset: number; readonly name: string; readonly value: FilteredValue }
  | { readonly kind: "capture"; readonly offset: number; readonly name: string; readonly body: LiquidStatement[] }
  | {
      readonly kind: "branch";
      readonly offset: number;
      readonly branches: readonly ConditionBranch[];
      readonly isExhaustive: boolean;
    }
  | {
      readonly kind: "loop";
      readonly offset: number;
      readonly tag: string;
      readonly variable: string;
      readonly values: readonly Expression[];
      readonly body: LiquidStatement[];
      readonly elseBody: LiquidStatement[];
    }
  | {
      /** A tag that includes a file: `render`, `include`, `section`, `sections`, `content_for` and similar tags. */
      readonly kind: "call";
      readonly offset: number;
      readonly tag: string;
      readonly name: string | undefined;
      readonly values: readonly Argument[];
    }
  /** Any other tag, with its body if it has one. */
  | {
      readonly kind: "tag";
      readonly offset: number;
      readonly tag: string;
      readonly values: readonly Expression[];
      readonly body: LiquidStatement[];
    };

export interface ConditionBranch {
  readonly conditions: readonly Expression[];
  readonly body: LiquidStatement[];
}

export interface Argument {
  readonly name: string;
  readonly value: Expression;
  /** Whether the snippet is rendered once for each item of a list (`for list as name`). */
  readonly isForEach?: boolean;
}

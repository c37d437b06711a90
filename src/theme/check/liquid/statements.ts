import type { Expression, FilteredValue } from "@vitrine/liquid/tree";

/**
 * A Liquid file as the checker parses it: tags and outputs with their expressions and offsets. A broken tag is skipped,
 * and parsing continues after it.
 */
export type Statement =
  | { readonly kind: "output"; readonly at: number; readonly value: FilteredValue }
  | { readonly kind: "assign"; readonly at: number; readonly name: string; readonly value: FilteredValue }
  | { readonly kind: "capture"; readonly at: number; readonly name: string; readonly body: Statement[] }
  | { readonly kind: "branch"; readonly at: number; readonly arms: readonly Arm[]; readonly isExhaustive: boolean }
  | {
      readonly kind: "loop";
      readonly at: number;
      readonly tag: string;
      readonly variable: string;
      readonly values: readonly Expression[];
      readonly body: Statement[];
      readonly otherwise: Statement[];
    }
  | {
      /** `render`, `include`, `section`, `sections`, `content_for` and other tags that include a file. */
      readonly kind: "call";
      readonly at: number;
      readonly tag: string;
      readonly name: string | undefined;
      readonly values: readonly Argument[];
    }
  /** Any other tag, with its body if it has one. */
  | {
      readonly kind: "tag";
      readonly at: number;
      readonly tag: string;
      readonly values: readonly Expression[];
      readonly body: Statement[];
    };

export interface Arm {
  readonly tests: readonly Expression[];
  readonly body: Statement[];
}

export interface Argument {
  readonly name: string;
  readonly value: Expression;
  /** `for list as name`: the snippet is rendered once for each item. */
  readonly isEach?: boolean;
}

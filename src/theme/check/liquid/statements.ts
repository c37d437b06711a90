import type { Expression, Filtered } from "../../../liquid/parse/expression.ts";

/** A Liquid file as a checker reads it: tags and outputs with their expressions, each with its offset.
 *  A broken tag is left out, and what follows it is read all the same. */
export type Statement =
  | { readonly kind: "output"; readonly at: number; readonly value: Filtered }
  | { readonly kind: "assign"; readonly at: number; readonly name: string; readonly value: Filtered }
  | { readonly kind: "capture"; readonly at: number; readonly name: string; readonly body: Statement[] }
  | { readonly kind: "branch"; readonly at: number; readonly arms: readonly Arm[]; readonly isWhole: boolean }
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
      /** `render`, `include`, `section`, `sections`, `content_for` and other tags that bring in a file. */
      readonly kind: "call";
      readonly at: number;
      readonly tag: string;
      readonly name: string | undefined;
      readonly values: readonly Argument[];
    }
  /** Any other tag; with its body where it has one. */
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
  /** `for list as name`: the snippet gets each item of it. */
  readonly isEach?: boolean;
}

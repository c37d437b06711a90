import { type Liquid, type Token, Tokenizer } from "liquidjs";

/** A Liquid file as a checker reads it: tags and outputs with their expressions, each with its offset.
 *  A broken tag is left out, and what follows it is read all the same. */
export type Statement =
  | { readonly kind: "output"; readonly at: number; readonly value: Expression }
  | { readonly kind: "assign"; readonly at: number; readonly name: string; readonly value: Expression }
  | { readonly kind: "capture"; readonly at: number; readonly name: string; readonly body: Statement[] }
  | { readonly kind: "branch"; readonly at: number; readonly arms: readonly Arm[]; readonly isWhole: boolean }
  | {
      readonly kind: "loop";
      readonly at: number;
      readonly tag: string;
      readonly variable: string;
      readonly values: readonly Token[];
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
      readonly values: readonly Token[];
      readonly body: Statement[];
    };

export type Expression = ReturnType<Tokenizer["readFilteredValue"]>;

export interface Arm {
  readonly tests: readonly Token[];
  readonly body: Statement[];
}

export interface Argument {
  readonly name: string;
  readonly value: Token;
  /** `for list as name`: the snippet gets each item of it. */
  readonly isEach?: boolean;
}

/** A tag as it stands in the text, before its kind is known. */
export interface RawTag {
  readonly kind: "tag";
  readonly at: number;
  readonly name: string;
  readonly input: string;
  /** Where what follows the tag's name begins and ends. */
  readonly begin: number;
  readonly end: number;
}

export interface RawOutput {
  readonly kind: "output";
  readonly at: number;
  readonly input: string;
  readonly begin: number;
  readonly end: number;
}

/** Reads expressions as the engine reads them. */
export function tokenizerOf(raw: RawTag | RawOutput, liquid: Liquid): Tokenizer {
  return new Tokenizer(raw.input, liquid.options.operators, undefined, [raw.begin, raw.end]);
}

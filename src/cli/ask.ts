import { createInterface } from "node:readline";
import type { CommandIo } from "./io.ts";

export interface Question<T> {
  readonly text: string;
  /** Default answer, which is shown in brackets and used for an empty line. */
  readonly suggestion?: string | undefined;
  /** Returns the value of an answer, or an error message. */
  readonly parse: (answer: string) => { readonly value: T } | { readonly error: string };
}

/** Asks the user of a terminal. After the end of the input, all answers are empty. */
export interface Prompter extends Disposable {
  ask<T>(question: Question<T>): Promise<T>;
}

/** @returns undefined without a terminal */
export function createPrompter({ stdin, stderr }: CommandIo): Prompter | undefined {
  if (stdin?.isTTY !== true) return undefined;
  const lines = createInterface({ input: stdin });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask({ text, suggestion = "", parse }) {
      for (;;) {
        stderr.write(`${text}${suggestion === "" ? "" : ` [${suggestion}]`}: `);
        const { value, done = false } = (await answers.next()) as IteratorResult<string, undefined>;
        const result = parse((value ?? "").trim() || suggestion);
        if ("value" in result) return result.value;
        stderr.write(`${result.error}\n`);
        if (done) throw new Error(result.error);
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}

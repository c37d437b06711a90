import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "./engine.ts";
import { RenderFault } from "./errors.ts";

/** A template, what it prints, and its variables; with `snippets` as its templates for `render` and `include`. */
export type Case = readonly [template: string, output: string, data?: Readonly<Record<string, unknown>>];

/** What is said of Liquid -> templates that show it. One test each. */
export type Cases = Readonly<Record<string, readonly Case[]>>;

export function testCases(cases: Cases): void {
  for (const [name, examples] of Object.entries(cases))
    test(name, () => {
      for (const [template, output, data] of examples) assert.equal(rendered(template, data), output, template);
    });
}

/** What a template prints, or the message of the fault in it. */
export function rendered(template: string, data: Readonly<Record<string, unknown>> = {}): string {
  const snippets = (data.snippets ?? {}) as Readonly<Record<string, string>>;
  try {
    return engine.parse(template).toText({
      globals: data,
      now: 1_767_323_045_000,
      partial: (name) => {
        const source = snippets[name];
        if (source === undefined) throw new RenderFault(`No such template '${name}'`);
        return engine.parse(source, name);
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const engine = createEngine();

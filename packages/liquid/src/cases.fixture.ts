import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "./engine.ts";

/**
 * A template, its expected output, and its variables. The variable `snippets` contains the templates for `render` and
 * `include`.
 */
export type TestCase = readonly [template: string, output: string, data?: Readonly<Record<string, unknown>>];

/** Test cases by test name. */
export type TestCasesByGroup = Readonly<Record<string, readonly TestCase[]>>;

export function runTestCases(testCases: TestCasesByGroup): void {
  for (const [name, examples] of Object.entries(testCases))
    test(name, () => {
      for (const [template, output, data] of examples) assert.equal(renderTemplate(template, data), output, template);
    });
}

/** Renders a template. Returns its output, or the message of its error. */
export function renderTemplate(template: string, data: Readonly<Record<string, unknown>> = {}): string {
  const snippets = (data.snippets ?? {}) as Readonly<Record<string, string>>;
  try {
    return engine.parse(template).render(data, {
      now: 1_767_323_045_000,
      partial: (name) => {
        const source = snippets[name];
        return source === undefined ? undefined : engine.parse(source, name);
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const engine = createEngine();

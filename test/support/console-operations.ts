import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { ConsoleServices } from "../../src/http/console/console-page.ts";
import { listConsoleRoutes } from "../../src/http/console/console-routes.ts";
import { assertAccessible, tabTo } from "./keyboard.ts";

/** Performs operations of the console by keyboard, and records which ones its pages offer. */
export interface ConsoleOperations {
  /** Asserts that a page is accessible, and records the operations of its forms. */
  inspect(page: Page): Promise<void>;
  /**
   * Submits a form by keyboard. Then the result has a visible focus, and the page is accessible.
   * @param result pattern of the result. Default: the next page shows no result, such as after a search.
   * @param button name of the button. Default: the field with the focus submits its form.
   */
  submit(page: Page, result?: RegExp, button?: string): Promise<void>;
  /** Returns operations that a route or a visited page offers, and that were not performed. */
  findMissing(): readonly string[];
}

export function recordConsoleOperations(): ConsoleOperations {
  // Creating the list calls no method of the shop.
  const routes = listConsoleRoutes({ process: {}, console: {} } as unknown as ConsoleServices);
  const offered = new Set<string>();
  const performed = new Set<string>();
  /** Paths of pages that were inspected, and states of these pages: their forms, results, and open details. */
  const inspected = new Set<string>();
  const addPattern = (operation: string): string => {
    const [method = "", path = "", ...details] = operation.split(" ");
    const route = routes.find((one) => new RegExp(`^${one.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path));
    return [method, route?.path ?? path, ...details].join(" ");
  };
  const inspect = async (page: Page): Promise<void> => {
    const operations = (await page.evaluate(listOperations)) as readonly string[];
    for (const operation of operations) offered.add(addPattern(operation));
    const { pathname } = new URL(page.url());
    const state = JSON.stringify([pathname, await page.evaluate(focusAndDetails), operations]);
    if (inspected.has(state)) return;
    // The colors of a page do not depend on its state, and in a new state a narrow screen has the most violations.
    await assertAccessible(page, inspected.has(pathname) ? { colorSchemes: ["light"], widths: [360] } : {});
    inspected.add(pathname).add(state);
  };
  return {
    inspect,
    async submit(page, result, button) {
      if (button !== undefined) await tabTo(page, button);
      performed.add(addPattern(String(await page.evaluate(focusedOperation))));
      await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
      if (result !== undefined) {
        assert.match(await page.locator("main").innerText(), result);
        await page
          .locator("[role=status]:focus, [role=alert]:focus, table:focus")
          .filter({ hasText: result })
          .waitFor();
        assert.ok(await page.evaluate(isFocusVisible), "the result is visible and has a visible focus");
      }
      await inspect(page);
    },
    findMissing() {
      const forms = routes.filter(({ methods }) => methods.POST).map(({ path }) => `POST ${path}`);
      const isPerformed = (form: string): boolean => [...performed].some((one) => `${one} `.startsWith(`${form} `));
      return [...offered.difference(performed), ...forms.filter((form) => !isPerformed(form))].toSorted();
    },
  };
}

/** Names an operation by its method, path, and the fields that select one of several operations at the path. */
const nameOperation = `((form, button) => {
  const fields = new FormData(form, button);
  const values = ["operation", "section", "outcome"].flatMap((name) => fields.get(name) ?? []);
  const flags = ["accept", "remove"].filter((name) => fields.has(name));
  // The form that removes a rule names the section of its file.
  return [form.method.toUpperCase(), new URL(form.action).pathname, ...(flags.length > 0 ? flags : values)].join(" ");
})`;
const listOperations = `[...document.querySelectorAll("form button")].map((button) => ${nameOperation}(button.form, button))`;
const focusAndDetails = `[document.activeElement.role, document.querySelectorAll("details[open]").length]`;
const focusedOperation = `(({ form, type }) => ${nameOperation}(form, type === "submit" ? document.activeElement : form.querySelector("button")))(document.activeElement)`;
const isFocusVisible = `((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return getComputedStyle(element).outlineStyle !== "none" && bottom > 0 && top < innerHeight;
})(document.activeElement)`;

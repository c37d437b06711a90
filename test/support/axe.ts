import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Width in pixels and color scheme of a page. */
export interface View {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
}

/**
 * Views that show each width and each color scheme once. A combination of both has no style of its own, so further
 * views find no further violations.
 */
export const views: readonly View[] = [
  { width: 360, colorScheme: "light" },
  { width: 1_440, colorScheme: "dark" },
];

export interface AxeOptions {
  /** Default: all `views`. */
  readonly in?: readonly View[];
  /** A function of the page that filters violations. */
  readonly isCounted?: string;
  /** An expression of the page, evaluated in each view, that returns a list of errors. */
  readonly also?: string;
}

/** Returns violations of axe rules in each view, with their location. */
export async function violations(
  page: Page,
  { in: usedViews = views, isCounted = "() => true", also = "[]" }: AxeOptions = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const errors: string[] = [];
  for (const { width, colorScheme } of usedViews) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const errorsOfView =
      (await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      [
        ...violations
          .filter(${isCounted})
          .map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join("; ")),
        ...${also},
      ])`)) as readonly string[];
    errors.push(...errorsOfView.map((text) => `${page.url()} ${width} px, ${colorScheme}: ${text}`));
  }
  return errors;
}

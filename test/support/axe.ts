import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Axe rules about colors. */
const colorRules = ["color-contrast", "link-in-text-block"];

/**
 * Properties other than colors and font weights that the dark scheme sets. While there are none, only the color rules
 * need a second run in the dark scheme.
 */
const darkNonColorProperties = `[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .filter(({ media }) => media !== undefined && /prefers-color-scheme/.test(media.mediaText))
  .flatMap(({ cssRules }) => [...cssRules])
  .flatMap(({ style, cssText }) => style === undefined ? [cssText] : [...style].filter((name) => !name.startsWith("--")
    || !["color", "box-shadow", "filter", "font-weight"].some((of) => CSS.supports(of, style.getPropertyValue(name)))))
  .map((name) => "the scheme changes more than colors: " + name)`;

export interface AxeOptions {
  /** A function of the page that filters violations. */
  readonly isCounted?: string;
  /** An expression of the page, evaluated at each width, that returns a list of errors. */
  readonly also?: string;
  readonly colorSchemes?: readonly ("light" | "dark")[];
}

/** Returns violations of axe rules in light and dark, at each width, with their location. */
export async function violations(
  page: Page,
  widths: readonly number[],
  { isCounted = "() => true", also = "[]", colorSchemes = ["light", "dark"] }: AxeOptions = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const errors: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const options = {
        resultTypes: ["violations"],
        ...(colorScheme === "light" ? {} : { runOnly: colorRules }),
      };
      const errorsOfView = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
        violations
          .filter(${isCounted})
          .map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join("; ")))
          .then((axeErrors) => [...axeErrors, ...${darkNonColorProperties}, ...${also}])`)) as readonly string[];
      errors.push(...errorsOfView.map((text) => `${page.url()} ${width} px, ${colorScheme}: ${text}`));
    }
  }
  return errors;
}

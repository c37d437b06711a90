import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Of axe's rules those that look at colours. */
const aboutColours = ["color-contrast", "link-in-text-block"];

/** What the dark scheme sets besides colours and how heavy things look; while that is nothing, what holds in light holds in dark but for the
 *  rules about colours. */
const darkBesidesColours = `[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .filter(({ media }) => media !== undefined && /prefers-color-scheme/.test(media.mediaText))
  .flatMap(({ cssRules }) => [...cssRules])
  .flatMap(({ style, cssText }) => style === undefined ? [cssText] : [...style].filter((name) => !name.startsWith("--")
    || !["color", "box-shadow", "filter", "font-weight"].some((of) => CSS.supports(of, style.getPropertyValue(name)))))
  .map((name) => "the scheme changes more than colours: " + name)`;

/** What a page does against axe's rules, in light and dark, at each width; each is named by where it was found.
 *  @param isCounted a function of the page, of a violation as axe tells it  @param also an expression of the page that is looked at at each width, a list of what is wrong */
export async function violations(
  page: Page,
  widths: readonly number[],
  { isCounted = "() => true", also = "[]" }: { readonly isCounted?: string; readonly also?: string } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const options = {
        resultTypes: ["violations"],
        ...(colorScheme === "light" ? {} : { runOnly: aboutColours }),
      };
      const here = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
        violations
          .filter(${isCounted})
          .map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join("; ")))
          .then((told) => [...told, ...${darkBesidesColours}, ...${also}])`)) as readonly string[];
      found.push(...here.map((text) => `${page.url()} ${width} px, ${colorScheme}: ${text}`));
    }
  }
  return found;
}

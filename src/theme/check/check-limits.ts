import { emptyCart } from "../../cart/cart.ts";
import { priceCart } from "../../cart/price-cart.ts";
import type { Config } from "../../config.ts";
import { noSearchRules } from "../../predictive-search/search-rules.ts";
import { maxPage, pageTime, startSections } from "../budget.ts";
import { noCatalog, noIndex } from "../generated-assets.ts";
import { createGlobals } from "../globals.ts";
import { findPageContext } from "../page-context.ts";
import type { RenderState } from "../render-state.ts";
import { type FoundSection, findSection, renderFile, renderSection } from "../sections.ts";
import { createView } from "../view.ts";
import type { ThemeUnderCheck } from "./theme-under-check.ts";

/** Renders every section, template and layout for a shop that sells nothing: what takes too long or grows too big even
 *  there never shows anything. Other errors are left to the checks that know the file as it is written. */
export function checkLimits(check: ThemeUnderCheck, config: Config): void {
  const { theme } = check;
  const attempt = (file: string, render: (state: RenderState) => unknown): void => {
    for (let left = tries; left > 0; left -= 1)
      try {
        render(stateFor(check, config));
        return;
      } catch (error) {
        // A busy machine, or code that runs for the first time, may be slow once; what is slow by itself stays so.
        if (left === 1 || !isSlow.test(error instanceof Error ? error.message : "")) {
          tell(check, file, error);
          return;
        }
      }
  };
  const placed = placedSections(check);
  const isPlaced = new Set(placed.map(([file]) => file));
  for (const [file, found] of placed) attempt(file, (state) => renderSection(state, found));
  for (const folder of ["layout", "templates"])
    for (const file of check.files(folder, ".liquid"))
      attempt(file, (state) => renderFile(state, file, pageTime, maxPage));
  for (const file of check.files("sections", ".liquid").filter((one) => !isPlaced.has(one)))
    attempt(file, (state) => {
      const name = file.slice("sections/".length, -".liquid".length);
      const found = findSection(name, theme, { type: "index", template: "", title: "", objects: new Map() });
      return found === undefined ? "" : renderSection(state, found);
    });
}

/** What JSON templates and groups place, with the file of the section. */
function placedSections({ theme }: ThemeUnderCheck): [string, FoundSection][] {
  return [...theme.folder.texts.keys()].flatMap((file) => {
    if (!/^(?:templates|sections)\/.+\.json$/.test(file)) return [];
    try {
      const placed = theme.json(file)?.sections ?? [];
      return placed.map(
        (placement) => [`sections/${placement.type}.liquid`, { placement, file }] as [string, FoundSection],
      );
    } catch {
      return [];
    }
  });
}

function stateFor({ theme }: ThemeUnderCheck, config: Config): RenderState {
  const cart = priceCart(emptyCart, { catalog: noCatalog, currency: config.currency, now: 0 });
  const request = {
    locale: config.locales.default,
    target: "/",
    origin: "https://shop.example",
    catalog: noCatalog,
    index: noIndex,
    cart: async () => cart,
    searchRules: noSearchRules,
    now: 0,
  };
  const view = createView(request, config, theme);
  const globals = createGlobals(view, theme, findPageContext(view, theme), cart);
  const end = performance.now() + pageTime;
  return { theme, view, globals, report: () => {}, end, sectionsLeft: startSections(), depth: 0, pages: new Map() };
}

function tell(check: ThemeUnderCheck, file: string, error: unknown): void {
  const whole = error instanceof Error ? error.message : "";
  const [, said = whole, at = file, line] = /^(.*), file:(.+), line:(\d+), col:\d+$/s.exec(whole) ?? [];
  if (!limit.test(said)) return;
  const place = line === undefined ? { file: at } : { file: at, line: Number(line) };
  check.add("fault", "limit", place, `${said.replace(`${file}: `, "")}: the section or page is not shown`);
}

/** Renders of something that takes too long. */
const tries = 3;
const isSlow = /takes longer than/;
/** What no other check tells of. */
const limit = /takes longer than|more output than|more than \d+ (?:characters|items)|blocks and snippets render/;

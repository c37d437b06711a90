import type { LiquidError } from "@vitrine/liquid";
import { emptyCart } from "../../cart/cart.ts";
import { priceCart } from "../../cart/price-cart.ts";
import type { Config } from "../../config/settings.ts";
import { listTemplateSections } from "../files/compiled-theme.ts";
import { emptyShop } from "../files/generated-assets.ts";
import { maxPageLength } from "../liquid/limits.ts";
import { findLimitError } from "../liquid/with-location.ts";
import { objectFactories } from "../objects/object-makers.ts";
import { createGlobals } from "../render/globals.ts";
import { findPageContext } from "../render/page-context.ts";
import { createPageWorkMeter, initState, renderFile } from "../render/render-file.ts";
import { findSection, formatSectionFile, renderSection } from "../render/sections.ts";
import type { RenderState } from "../render-state.ts";
import { createView } from "../view.ts";
import type { CheckContext } from "./check-context.ts";

/**
 * Renders every section, template and layout for an empty shop, and reports files that exceed a limit. Ignores all
 * other render errors, because the checks of the source report them.
 */
export function checkLimits(context: CheckContext, config: Config): void {
  const { theme } = context;
  const tryRender = (file: string, render: (state: RenderState) => unknown): void => {
    try {
      render(createRenderState(context, config));
    } catch (error) {
      const limitError = findLimitError(error);
      if (limitError !== undefined) report(context, file, limitError);
    }
  };
  const placements = [...theme.folder.texts.keys()]
    .filter((file) => /^(?:templates|sections)\/.+\.json$/.test(file))
    .flatMap((file) => listTemplateSections(theme, file).map((placement) => ({ placement, file })));
  const placedTypes = new Set(placements.map(({ placement }) => placement.type));
  for (const section of placements)
    tryRender(formatSectionFile(section.placement.type), (state) => renderSection(state, section));
  for (const folder of ["layout", "templates"])
    for (const file of context.listFiles(folder, ".liquid"))
      tryRender(file, (state) => renderFile(state, file, createPageWorkMeter(state.view), maxPageLength));
  for (const name of context.listNames("sections").filter((type) => !placedTypes.has(type)))
    tryRender(formatSectionFile(name), (state) => {
      const section = findSection(name, theme, { type: "index", template: "", title: "", objects: new Map() });
      return section === undefined ? "" : renderSection(state, section);
    });
}

function createRenderState({ theme }: CheckContext, config: Config): RenderState {
  const cart = priceCart(emptyCart, {
    catalog: emptyShop.catalog,
    currency: config.currency,
    maxQuantity: config.cart.maxQuantity,
    now: 0,
  });
  const request = {
    ...emptyShop,
    locale: config.locales.default,
    origin: "https://shop.example",
    cart: async () => cart,
  };
  const view = createView(request, config, theme, objectFactories);
  const globals = createGlobals(view, theme, findPageContext(view, theme), cart);
  return initState(theme, view, globals);
}

function report(context: CheckContext, file: string, { detail, place }: LiquidError): void {
  const location = place === undefined ? { file } : { file: place.name, line: place.line };
  context.add("error", "limit", location, `${detail}: the section or page is not shown`);
}

import type { SearchIndex } from "@vitrine/search";
import { packCatalog } from "../../catalog/packed/pack-base.ts";
import { openCatalog } from "../../catalog/packed/packed-catalog.ts";
import type { Config } from "../../config/settings.ts";
import { emptySearchRules } from "../../predictive-search/rules/search-rules.ts";
import { getOrCreate } from "../../runtime/cache.ts";
import { maxPageLength } from "../liquid/limits.ts";
import { objectFactories } from "../objects/object-makers.ts";
import { createSettingsObject } from "../objects/settings/settings.ts";
import { shopType } from "../objects/shop/shop.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { createPageWorkMeter, initState, renderFile } from "../render/render-file.ts";
import { Globals, type RenderState } from "../render-state.ts";
import { createView } from "../view.ts";
import type { AssetGenerator, CompiledTheme } from "./compiled-theme.ts";

/** Name of the asset with the `{% stylesheet %}` contents of all sections, blocks and snippets. */
export const sectionStylesName = "section-styles.css";
export const sectionScriptsName = "section-scripts.js";

/** Creates the function that generates assets. */
export function generateAssets(theme: CompiledTheme, config: Config): AssetGenerator {
  const cachedAssets = new Map<string, string | undefined>();
  return (name) => getOrCreate(cachedAssets, name, () => generateAsset(theme, config, name));
}

function generateAsset(theme: CompiledTheme, config: Config, name: string): string | undefined {
  if (name === sectionStylesName) return joinBodies(theme, "stylesheet");
  if (name === sectionScriptsName) return joinBodies(theme, "javascript");
  const file = `assets/${name}.liquid`;
  if (!theme.has(file)) return undefined;
  const state = assetState(theme, config);
  return renderFile(state, file, createPageWorkMeter(state.view), maxPageLength);
}

/**
 * Joins the styles or scripts of all files. Each script is wrapped in a function, so that equal names do not collide and
 * an error does not stop the others. Many scripts need an element of their section, which only some pages have.
 */
function joinBodies(theme: CompiledTheme, kind: "stylesheet" | "javascript"): string | undefined {
  let text = "";
  for (const [file, source] of theme.folder.texts) {
    if (!/^(?:sections|blocks|snippets)\/.+\.liquid$/.test(file) || !source.includes(kind)) continue;
    const body = theme.source(file)[kind];
    if (body.trim() === "") continue;
    text +=
      kind === "stylesheet"
        ? `/* ${file} */\n${body}`
        : `// ${file}\n(() => {\ntry {\n${body}\n} catch (error) { console.error(error); }\n})();\n`;
  }
  return text === "" ? undefined : text;
}

/** Creates the state for rendering an asset. An asset can read the theme's settings and the shop, but no page. */
function assetState(theme: CompiledTheme, config: Config): RenderState {
  const locale = config.locales.default;
  const request = {
    ...emptyShop,
    locale,
    origin: config.origin ?? "",
    cart: () => Promise.reject(new Error("assets cannot read the cart")),
  };
  // Styles refer to files by path without host, because browsers do not load fonts from another host.
  const localConfig = { ...config, compat: { forms: false, script: false } };
  const view = createView(request, localConfig, theme, objectFactories);
  const globals = new Globals((name) => {
    if (name === "settings") return createSettingsObject(view, theme.settings, theme.values);
    return name === "shop" ? new TemplateObject(shopType, view) : undefined;
  });
  return initState(theme, view, globals);
}

const emptyCatalog = openCatalog(
  packCatalog({ revision: 0, size: { rows: 0, bytes: 0 }, rows: () => [] }, () => {}, { locales: [], metafields: [] }),
);

const emptyIndex: SearchIndex = {
  search: () => new Map(),
  matches: () => new Uint32Array(),
  findsExactly: () => false,
  complete: () => [],
  explain: () => undefined,
};

/** Request data for rendering a theme without a shop. */
export const emptyShop = {
  target: "/",
  catalog: emptyCatalog,
  index: emptyIndex,
  searchRules: emptySearchRules,
  now: 0,
};

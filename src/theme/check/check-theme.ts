import type { Config } from "../../config/settings.ts";
import { compileTheme } from "../files/compile-theme.ts";
import { isMarketFile, readThemeFolder } from "../files/theme-folder.ts";
import { pageTypes } from "../render/page-types.ts";
import { CheckContext } from "./check-context.ts";
import { checkLanguages } from "./check-languages.ts";
import { checkLimits } from "./check-limits.ts";
import { checkLinks } from "./check-links.ts";
import { checkLocales } from "./check-locales.ts";
import { checkPageCode } from "./check-page-code.ts";
import { checkPlacements } from "./check-placements.ts";
import { checkReferences } from "./check-references.ts";
import { checkSass } from "./check-sass.ts";
import { checkPreset, checkSchemas } from "./check-schemas.ts";
import { checkSnippets } from "./check-snippets.ts";
import { checkEncoding, checkSyntax } from "./check-syntax.ts";
import { checkTemplates } from "./check-templates.ts";
import type { Finding } from "./finding.ts";
import { KnownNames } from "./known-names.ts";
import type { StoreInfo } from "./known-store.ts";

/** Reports missing page templates, and files for a single Shopify market, which are not supported. */
function checkPages(context: CheckContext): void {
  for (const name of pageTypes) {
    const [file, liquidFile] = [`templates/${name}.json`, `templates/${name}.liquid`];
    if (!isOptionalPage(name) && !context.theme.has(file) && !context.theme.has(liquidFile))
      context.add(
        "warning",
        "missing-template",
        { file },
        "is missing: Vitrine's own page is shown in the theme's layout",
      );
  }
  for (const file of context.theme.folder.versions.keys())
    if (isMarketFile(file))
      context.add("warning", "market", { file }, "is for one market and never used, since markets are not supported");
}

/** Returns whether a template is for accounts or gift cards, which few stores use. */
function isOptionalPage(name: string): boolean {
  return name === "gift_card" || name.startsWith("customers/");
}

/**
 * Checks a theme's source files, and renders them for an empty shop.
 * @param store if undefined, checks that need the store's data are skipped
 * @returns problems sorted by file, line and column; a problem with the field `entry` does not apply if the catalog
 * contains this entry
 * @throws Error if the folder does not exist
 */
export function checkTheme(dir: string, config: Config, store?: StoreInfo): Finding[] {
  const locale = config.locales.default;
  const theme = compileTheme(readThemeFolder(dir), locale, undefined, config);
  const context = new CheckContext(theme, config.compat, store);
  for (const [file, reason] of theme.folder.rejectedFiles) context.add("error", "file", { file }, reason);
  if (!theme.has("layout/theme.liquid"))
    context.add("error", "missing-file", { file: "layout/theme.liquid" }, "is missing; every page needs it");
  checkPages(context);
  checkSass(context);
  checkEncoding(context);
  checkSyntax(context);
  const names = new KnownNames(context, locale);
  const inclusions = checkTemplates(context, names);
  checkSnippets(context, inclusions);
  checkLinks(context, config.locales);
  const schemas = checkSchemas(context, names);
  checkReferences(context, inclusions, schemas);
  checkPlacements(context, schemas);
  checkPreset(context, config.themePreset);
  checkLanguages(context, config.locales);
  checkLocales(context, locale);
  checkPageCode(context);
  checkLimits(context, config);
  return context.findings.toSorted();
}

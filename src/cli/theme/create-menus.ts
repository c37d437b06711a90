import type { Config } from "../../config/settings.ts";
import type { ThemeSettings } from "../../config/theme-settings.ts";
import type { Finding } from "../../theme/check/finding.ts";
import type { ThemeFolder } from "../../theme/files/theme-folder.ts";
import { derivedMenuHandles } from "../../theme/objects/content/derived-menus.ts";

type Menus = NonNullable<ThemeSettings["menus"]>;

/** Links for a new menu about products. */
const shopLinks = [
  { title: "Shop all", url: "/collections/all" },
  { title: "Collections", url: "/collections" },
];
/** Links for a new menu with information. These pages exist in every shop. */
const infoMenuLinks = [
  { title: "Search", url: "/search" },
  { title: "Shop all", url: "/collections/all" },
];

/**
 * Creates the menus that a theme names in settings or templates, and that the shop lacks.
 * @param findings findings of the theme check
 */
export function createMenus(findings: readonly Finding[], theme: ThemeFolder, config: Config): Menus {
  const templates = [...theme.texts].flatMap(([file, text]) => (file.endsWith(".liquid") ? [text] : []));
  // If a template tests for a menu, it has an alternative, which is better than a menu with default links.
  const testedMenus = new Set(templates.flatMap(findConditions).flatMap(findMenus));
  const menusInTemplates = templates.flatMap(findMenus).filter((handle) => !testedMenus.has(handle));
  const menusInSettings = findings.flatMap(({ menu }) => (menu === undefined ? [] : [menu]));
  const isKnownMenu = (handle: string): boolean =>
    Object.hasOwn(config.menus, handle) || derivedMenuHandles.includes(handle);
  const handles = [...new Set([...menusInSettings, ...menusInTemplates])]
    .filter((handle) => !isKnownMenu(handle))
    .sort();
  const isInfoMenu = (handle: string): boolean =>
    /foot|polic|legal|help|support|info|about|company|service|care/i.test(handle);
  return Object.fromEntries(handles.map((handle) => [handle, isInfoMenu(handle) ? infoMenuLinks : shopLinks]));
}

/** Returns the conditions of tags such as `if`, also in `liquid` tags. */
function findConditions(text: string): string[] {
  return [...text.matchAll(/(?:\{%-?|^)\s*(?:if|elsif|unless)\s([^%\n]*)/gm)].map(([, condition]) => condition ?? "");
}

/** Returns the handles in expressions such as `linklists.side.links` and `linklists["side"]`. */
function findMenus(text: string): string[] {
  return [...text.matchAll(/\blinklists(?:\.([\w-]+)|\[\s*(["'])([\w-]+)\2\s*\])/g)].map(
    ([, name, , quotedName]) => name ?? quotedName ?? "",
  );
}

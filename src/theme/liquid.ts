import { filters as builtIn, Liquid } from "liquidjs";
import { filterFamilies } from "./filters/families.ts";
import { type Filter, guarded } from "./filters/filter.ts";
import { LookUp } from "./objects/template-object.ts";
import { CaptureTag } from "./tags/capture.ts";
import { FormTag } from "./tags/form.ts";
import { LayoutTag } from "./tags/layout.ts";
import { PaginateTag } from "./tags/paginate.ts";
import { IncludeTag, RenderTag } from "./tags/render.ts";
import { SectionGroupTag, SectionTag } from "./tags/section.ts";
import { StyleTag } from "./tags/style.ts";

/** Texts of a theme's Liquid files, by path in the theme. */
export interface LiquidFiles {
  has(file: string): boolean;
  read(file: string): string;
}

/** LiquidJS with the tags and filters of a storefront's theme; snippets come from `files` alone, never from disk. */
export function createLiquid(files: LiquidFiles): Liquid {
  const liquid = new Liquid({
    fs: {
      exists: async (file) => files.has(file),
      existsSync: (file) => files.has(file),
      readFile: async (file) => files.read(file),
      readFileSync: (file) => files.read(file),
      resolve: (_folder, name) => `snippets/${name}.liquid`,
    },
    relativeReference: false,
    cache: true,
    strictFilters: true,
    ownPropertyOnly: true,
  });
  liquid.registerTag("capture", CaptureTag);
  liquid.registerTag("form", FormTag);
  liquid.registerTag("layout", LayoutTag);
  liquid.registerTag("paginate", PaginateTag);
  liquid.registerTag("render", RenderTag);
  liquid.registerTag("include", IncludeTag);
  liquid.registerTag("section", SectionTag);
  liquid.registerTag("sections", SectionGroupTag);
  liquid.registerTag("style", StyleTag);
  delete liquid.tags.block;
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const name of kept) liquid.registerFilter(name, guarded(name, overLists(builtIn[name] as Filter)));
  for (const family of filterFamilies)
    for (const [name, filter] of Object.entries(family)) liquid.registerFilter(name, guarded(name, filter));
  return liquid;
}

/** Our look-ups are lists to LiquidJS's filters. */
function overLists(filter: Filter): Filter {
  return function (value, ...args) {
    return filter.call(this, value instanceof LookUp ? [...value] : value, ...args);
  };
}

/** Filters of LiquidJS that do what themes expect of them; each asks the budget before it makes something long. */
const kept = [
  ..."abs at_least at_most ceil floor minus plus modulo times round".split(" "),
  ..."append prepend capitalize downcase upcase lstrip rstrip strip strip_newlines squish".split(" "),
  ..."remove remove_first remove_last replace replace_first replace_last split truncate truncatewords".split(" "),
  ..."newline_to_br join first last reverse compact concat slice uniq default".split(" "),
] as (keyof typeof builtIn)[];

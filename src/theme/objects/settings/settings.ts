import { LiquidError, type Template } from "@vitrine/liquid";
import { classifyMedia } from "../../../catalog/media.ts";
import { createImageView } from "../../../catalog/presenters/presenter.ts";
import { getOrCreate, memoizePerObject } from "../../../runtime/cache.ts";
import type { CompiledTheme } from "../../files/compiled-theme.ts";
import { hasLanguageKeys, type SettingSchema } from "../../files/schema.ts";
import { maxSectionLength } from "../../liquid/limits.ts";
import { SafeHtml } from "../../liquid/safe-html.ts";
import { createSectionWorkMeter, renderTemplate } from "../../render/render-file.ts";
import { getGlobals } from "../../render-state.ts";
import { addPathPrefix, type View } from "../../view.ts";
import { createBlogObject } from "../content/blog.ts";
import { createLinkListsObject } from "../content/link-list.ts";
import { createImageObject } from "../image.ts";
import { findArticle, findCollection, findPageByHandle, findProductByHandle } from "../lookups.ts";
import { Lookup } from "../template-object.ts";
import { parseColorObject } from "./color.ts";
import { createColorSchemeObject, createColorSchemesObject } from "./color-scheme.ts";
import { type ClosestObjectFinder, isDynamicSource, resolveDynamicValue } from "./dynamic-source.ts";
import { createFontObject } from "./font.ts";

/**
 * Creates the `settings` object. Settings without a value from the merchant have the schema's default. A handle is
 * converted to the object that it names.
 * @param findClosestObject returns the value of `closest.<name>` for the block that has the settings
 */
export function createSettingsObject(
  view: View,
  schema: readonly SettingSchema[],
  values: Readonly<Record<string, unknown>>,
  findClosestObject?: ClosestObjectFinder,
): Lookup {
  return new Lookup((id) => {
    const setting = settingsById(schema).get(id);
    const value = selectLanguage(view, setting, Object.hasOwn(values, id) ? values[id] : setting?.default);
    if (setting?.type === "liquid" && typeof value === "string" && /\{[{%]/.test(value))
      return renderLiquidValue(view, value);
    if (!isDynamicSource(value)) return resolveSettingValue(view, setting, value);
    const result = resolveDynamicValue(view, value, findClosestObject, htmlTypes.has(setting?.type ?? ""));
    return typeof result === "string" ? resolveSettingValue(view, setting, result) : result;
  });
}

/** Returns a text in the page's language if the default contains several languages. */
function selectLanguage({ request, config }: View, setting: SettingSchema | undefined, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // A setting with color schemes is an object too, but its keys are not languages.
  if (setting?.type === "color_scheme_group" || !hasLanguageKeys(Object.keys(value))) return value;
  const texts = new Map(Object.entries(value));
  const languages = [request.locale, request.locale.split("-")[0] as string, config.locales.default, "en"];
  return (
    languages.map((language) => texts.get(language)).find((text) => text !== undefined) ?? texts.values().next().value
  );
}

/** Types of settings whose values are printed without escaping. */
const htmlTypes = new Set(["richtext", "inline_richtext", "html"]);

/** Values of settings that have neither a value nor a default, by type, as on Shopify. Other types are nil. */
const missingValues: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["checkbox", false],
  ...["text", "textarea", "html", "liquid", "richtext", "inline_richtext", "color"].map((type) => [type, ""] as const),
  ...["product_list", "collection_list", "article_list", "metaobject_list"].map((type) => [type, []] as const),
]);

const settingsById = memoizePerObject(
  (schema: readonly SettingSchema[]): ReadonlyMap<string, SettingSchema> =>
    new Map(schema.map((setting) => [setting.id, setting] as const)),
);

function resolveSettingValue(view: View, setting: SettingSchema | undefined, value: unknown): unknown {
  const type = setting?.type ?? "";
  if (value === null || value === undefined) {
    if (type === "color_scheme") return createColorSchemeObject(view, "");
    return missingValues.get(type);
  }
  if (type === "color_scheme_group") return createColorSchemesObject(view, value, setting?.definition ?? []);
  const readSetting = settingReaders.get(type);
  if (readSetting !== undefined && Array.isArray(value))
    return value.map((item) => readSetting(view, String(item))).filter((item) => item !== undefined);
  if (readSetting !== undefined)
    return typeof value === "string" && value !== "" ? readSetting(view, value) : missingValues.get(type);
  if (typeof value === "string" && value.startsWith("t:"))
    return view.theme.getSchemaTranslator(view.request.locale)(value.slice(2))?.text ?? value;
  return value;
}

/** Functions that convert a handle or URL to the object that it names, by setting type. */
const settingReaders: ReadonlyMap<string, (view: View, value: string) => unknown> = new Map([
  ["product", findProductByHandle],
  ["product_list", findProductByHandle],
  ["collection", findCollection],
  ["collection_list", findCollection],
  ["page", findPageByHandle],
  ["blog", createBlogObject],
  ["article", findArticle],
  ["article_list", findArticle],
  ["link_list", (view: View, handle: string): unknown => createLinkListsObject(view).field(handle)],
  ["image_picker", readImage],
  ["url", readUrl],
  ["color", (_: View, text: string): unknown => parseColorObject(text)],
  ["color_scheme", createColorSchemeObject],
  ["font_picker", readFont],
  // The next three types have no values: metaobject settings do not contain the type of the metaobject, and videos of
  // the store are not supported.
  ["metaobject", () => undefined],
  ["metaobject_list", () => undefined],
  ["video", () => undefined],
  ["video_url", readVideo],
]);

function readFont({ theme }: View, handle: string): unknown {
  return createFontObject(handle, theme.folder.assets.has(`${handle}.woff2`));
}

/** Returns an image of the store or an external image. Images stored by another platform are not available. */
function readImage(_: View, src: string): unknown {
  return src.startsWith("shopify://") ? undefined : createImageObject(createImageView({ src }, ""));
}

/** Returns a URL. Theme editors write "shopify://collections/all" for the shop's "/collections/all". */
function readUrl(view: View, url: string): unknown {
  return addPathPrefix(view, url.replace(/^shopify:\/\/(?=(?:collections|products|pages|blogs|articles)\b)/, "/"));
}

/** Returns the host and the id of an external video. */
function readVideo(_: View, url: string): unknown {
  const media = classifyMedia(url.replace(/^http:/, "https:"));
  return media?.type === "external_video" ? { id: media.externalId, type: media.host, address: url } : undefined;
}

/**
 * Renders a setting that contains Liquid. The Liquid can read the page's variables.
 * @throws Error if the Liquid is malformed or exceeds a limit
 */
export function renderLiquidValue(view: View, source: string): SafeHtml | undefined {
  const state = getGlobals(view)?.state;
  if (state === undefined) return undefined;
  if (state.depth > maxDepth) throw new LiquidError("limit", "a setting's Liquid reads the setting itself");
  state.depth += 1;
  try {
    const html = renderTemplate(
      state,
      getOrCreate(templateCache(view.theme), source, () => view.theme.liquid.parse(source, "a setting")),
      createSectionWorkMeter(state),
      maxSectionLength,
    );
    return new SafeHtml(html, html);
  } finally {
    state.depth -= 1;
  }
}

/** Maximum nesting depth of settings that contain Liquid and read other such settings. */
const maxDepth = 4;

const templateCache = memoizePerObject((_: CompiledTheme) => new Map<string, Template>());

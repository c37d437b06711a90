import type { SettingSchema } from "../schema.ts";
import { localPath, type View } from "../view.ts";
import { articleObject } from "./article.ts";
import { blogObject } from "./blog.ts";
import { imageObject } from "./image.ts";
import { linkListsObject } from "./link-list.ts";
import { collectionByHandle } from "./look-ups.ts";
import { pageObject } from "./page.ts";
import { productObject } from "./product.ts";
import { LookUp } from "./template-object.ts";

/** The values of settings: what the merchant set, else the schema's default; handles become the things they name. */
export function settingsObject(
  view: View,
  schema: readonly SettingSchema[],
  values: Readonly<Record<string, unknown>>,
): LookUp {
  const given = new Map(Object.entries(values));
  const described = new Map(schema.map((setting) => [setting.id, setting] as const));
  return new LookUp((id) => {
    const setting = described.get(id);
    const value = given.has(id) ? given.get(id) : setting?.default;
    return shownValue(view, setting?.type ?? "text", value);
  });
}

function shownValue(view: View, type: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  const read = readers.get(type);
  if (read !== undefined && Array.isArray(value))
    return value.map((one) => read(view, String(one))).filter((one) => one !== undefined);
  if (read !== undefined) return typeof value === "string" && value !== "" ? read(view, value) : undefined;
  if (typeof value === "string" && value.startsWith("t:")) return view.translate(value.slice(2))?.text ?? value;
  return value;
}

/** Setting type -> the thing that its value, a handle or an address, stands for. */
const readers: ReadonlyMap<string, (view: View, value: string) => unknown> = new Map([
  ["product", readProduct],
  ["product_list", readProduct],
  ["collection", collectionByHandle],
  ["collection_list", collectionByHandle],
  ["page", readPage],
  ["blog", blogObject],
  ["article", readArticle],
  ["link_list", (view: View, handle: string): unknown => linkListsObject(view).liquidMethodMissing(handle)],
  ["image_picker", (_: View, src: string): unknown => imageObject({ src }, "")],
  ["url", localPath],
]);

function readProduct(view: View, handle: string): unknown {
  const product = view.request.catalog.product(handle);
  return product === undefined ? undefined : productObject(view, product);
}

function readPage(view: View, handle: string): unknown {
  const page = view.request.catalog.page(handle);
  return page === undefined ? undefined : pageObject(view, page);
}

function readArticle(view: View, path: string): unknown {
  const [blog = "", handle = ""] = path.split("/");
  const article = view.request.catalog.article(blog, handle);
  return article === undefined ? undefined : articleObject(view, article);
}

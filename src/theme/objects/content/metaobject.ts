import type { Metaobject } from "../../../catalog/content.ts";
import { getLocaleValue } from "../../../catalog/localize.ts";
import { createImageView } from "../../../catalog/presenters/presenter.ts";
import type { View } from "../../view.ts";
import { createImageObject } from "../image.ts";
import { createMetafieldObject } from "../metafields.ts";
import { Lookup } from "../template-object.ts";

/** Creates the `metaobjects` object: `metaobjects.expert.ann.name.value`. `metaobjects.expert.values` is a list. */
export function createMetaobjectsObject(view: View): Lookup {
  return new Lookup((type) => {
    const metaobjects = view.request.catalog.metaobjects(type);
    return new Lookup((name) => {
      if (name === "values") return metaobjects.map((metaobject) => createMetaobjectObject(view, metaobject));
      if (name === "values_count") return metaobjects.length;
      const metaobject = metaobjects.find(({ handle }) => handle === name);
      return metaobject === undefined ? undefined : createMetaobjectObject(view, metaobject);
    });
  });
}

function createMetaobjectObject(view: View, { id, type, handle, fields, translations }: Metaobject): Lookup {
  const texts = new Map(Object.entries(getLocaleValue(translations, view.request.locale) ?? {}));
  const entries = new Map(Object.entries(fields));
  return new Lookup((name) => {
    if (name === "system") return { id, type, handle };
    if (!entries.has(name)) return undefined;
    const field = entries.get(name);
    const text = texts.get(name);
    const isTypedField = typeof field === "object" && field !== null && "value" in field;
    const translatedField = text === undefined ? field : isTypedField ? { ...field, value: text } : text;
    return createMetafieldObject(translatedField, (kind, value) => resolveReference(view, kind, value));
  });
}

/**
 * Returns the catalog entry that a metaobject field or a metafield refers to: its type is, for example, "product_reference",
 * and its value is a handle. Values of other types are returned unchanged.
 */
export function resolveReference(view: View, type: string | undefined, value: unknown): unknown {
  if (type?.startsWith("list.") && Array.isArray(value))
    return value
      .map((item) => resolveReference(view, type.slice("list.".length), item))
      .filter((item) => item !== undefined);
  const findEntry = type === undefined ? undefined : findersByType.get(type);
  return findEntry === undefined || typeof value !== "string" ? value : findEntry(view, value);
}

/**
 * Functions that find a catalog entry by handle, for each reference type. A metaobject has a handle such as
 * "expert/ann".
 */
const findersByType: ReadonlyMap<string, (view: View, handle: string) => unknown> = new Map<
  string,
  (view: View, handle: string) => unknown
>([
  [
    "product_reference",
    (view, handle) => {
      const product = view.request.catalog.product(handle);
      return product && view.objects.product(view, product);
    },
  ],
  [
    "collection_reference",
    (view, handle) => {
      const collection = view.request.catalog.collection(handle);
      return collection && view.objects.collection(view, collection);
    },
  ],
  ["file_reference", (_, src) => createImageObject(createImageView({ src }, ""))],
  [
    "metaobject_reference",
    (view, path) => {
      const [type = "", name = ""] = path.split("/", 2);
      const metaobject = view.request.catalog.metaobjects(type).find(({ handle }) => handle === name);
      return metaobject && createMetaobjectObject(view, metaobject);
    },
  ],
]);

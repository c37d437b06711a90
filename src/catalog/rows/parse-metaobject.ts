import type { Metaobject } from "../metaobject.ts";
import * as read from "./fields.ts";
import { type AddFault, openFields } from "./fields.ts";
import { readHandle, readId } from "./identity.ts";
import { parseTranslations } from "./parse-translations.ts";

/** A metaobject of a catalogue file, its defaults filled in. @see parseProduct */
export function parseMetaobject(value: unknown, fault: AddFault): Metaobject | undefined {
  const fields = openFields(value, "", metaobjectFields, "a metaobject", fault);
  if (fields === undefined) return undefined;
  const type = readHandle(fields, "type");
  const handle = readHandle(fields);
  const given = fields.values.fields ?? {};
  const isObject = typeof given === "object" && !Array.isArray(given);
  if (!isObject) fault("fields", "must be an object { … }");
  const named = isObject ? (given as Readonly<Record<string, unknown>>) : {};
  return {
    kind: "metaobject",
    id: readId(fields, () => `metaobject\n${type}\n${handle}`),
    type,
    handle,
    fields: named,
    published: read.flag(fields, "published", true),
    translations: parseTranslations(fields, new Set(Object.keys(named))),
  };
}

const metaobjectFields: ReadonlySet<string> = new Set("kind id type handle fields published translations".split(" "));

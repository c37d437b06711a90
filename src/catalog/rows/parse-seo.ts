import type { Seo } from "../product.ts";
import * as read from "./fields.ts";
import { type Fields, openFields } from "./fields.ts";

/** Reads `seo`, what search engines are told; to be spread into its row. */
export function parseSeo(fields: Fields): { readonly seo?: Seo } {
  const value = fields.values.seo;
  if (value === undefined || value === null) return none;
  const opened = openFields(value, `${fields.path}seo.`, seoFields, "what search engines are told", fields.fault);
  if (opened === undefined) return none;
  const title = read.optionalName(opened, "title");
  const description = read.optionalName(opened, "description");
  if (title === undefined && description === undefined) return none;
  return {
    seo: { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) },
  };
}

const none = {};
export const seoFields: ReadonlySet<string> = new Set(["title", "description"]);

import * as read from "./fields.ts";
import { type Fields, report } from "./fields.ts";

/** Reads `template_suffix`; to be spread into its row. */
export function parseTemplateSuffix(fields: Fields): { readonly templateSuffix?: string } {
  const templateSuffix = read.optionalName(fields, "template_suffix");
  if (templateSuffix === undefined) return {};
  if (!/^[\w.-]{1,100}$/.test(templateSuffix))
    report(
      fields,
      "template_suffix",
      'must be the part of a file\'s name behind the type, like "wide" of product.wide.json',
    );
  return { templateSuffix };
}

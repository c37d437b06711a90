import { Drop } from "../../../liquid/values/drop.ts";
import { printed } from "../../../liquid/values/text.ts";
import { escapeHtml } from "../../liquid/safe-html.ts";
import { globalsOf } from "../../render-state.ts";
import type { View } from "../../view.ts";

/** Finds what `closest.product` is where a block stands; absent: the page's own things. */
export type Closest = (name: string) => unknown;

/** Whether a setting's value is to be worked out: "{{ product.vendor }}". */
export function isDynamic(value: unknown): value is string {
  return typeof value === "string" && value.includes("{{");
}

/** What a setting's value that names things of the page stands for: the thing itself where it is all there is, else a
 *  text with the things printed into it.
 *  @param isHtml the text is put into pages as it is, so that plain texts in it are escaped */
export function dynamicValue(view: View, value: string, closest: Closest | undefined, isHtml: boolean): unknown {
  const [, whole] = onlySource.exec(value) ?? [];
  const found = whole === undefined ? undefined : read(view, whole, closest);
  if (whole !== undefined && found instanceof Drop) return found;
  return value.replace(anySource, (_, path: string) => {
    const text = printed(read(view, path, closest));
    return isHtml && !htmlFields.test(path) ? escapeHtml(text) : text;
  });
}

/** `product.vendor`, `metaobjects.experts["ann"].name`; what cannot be read as such prints nothing. */
const source = /\{\{-?\s*([^{}|]*?)\s*(?:\|[^{}]*)?-?\}\}/;
const onlySource = new RegExp(`^\\s*${source.source}\\s*$`);
const anySource = new RegExp(source, "g");
const isPath = /^[\w?-]+(?:\.[\w?-]+|\[(?:"[^"]*"|'[^']*'|\d+)\])*$/;

/** Fields that hold the merchant's own HTML. */
const htmlFields = /\.(?:description|content|excerpt|excerpt_or_content|body)$/;

function read(view: View, path: string, closest: Closest | undefined): unknown {
  if (!isPath.test(path)) return undefined;
  const [first = "", ...fields] = (path.match(/"[^"]*"|'[^']*'|[\w?-]+/g) ?? []).map((part) =>
    part.replace(/["']/g, ""),
  );
  const globals = globalsOf(view);
  if (first === "closest") {
    const [name = "", ...rest] = fields;
    return follow(closest?.(name) ?? globals?.field(name), rest);
  }
  return follow(globals?.field(first), fields);
}

function follow(value: unknown, fields: readonly string[]): unknown {
  let found = value;
  for (const field of fields) {
    if (found instanceof Drop) found = found.field(field);
    else if (typeof found === "object" && found !== null && Object.hasOwn(found, field))
      found = Reflect.get(found, field);
    else return undefined;
  }
  return found;
}

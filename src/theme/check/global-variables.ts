import { globalTypes } from "../render/globals.ts";
import { ofType, type Value } from "./liquid/value.ts";

/** Variables that are defined in every template, each with its known type and fields. */
export const globalVariables: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...["block", "closest", "content_for_layout", "forloop", "tablerowloop"].map((name) => [name, {}] as const),
  ...["form", "paginate", "section"].map((name) => [name, ofType(name)] as const),
  ...[...globalTypes()].map(([name, type]) => [name, ofType(type)] as const),
]);

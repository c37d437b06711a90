/** Values of a metafield as texts, for filters: a list has several, what is no scalar none.
 *  @param fields namespace -> key -> value, or -> `{ type, value }`  @param name "namespace.key" */
export function metafieldTexts(fields: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const dot = name.indexOf(".");
  const group = Object.hasOwn(fields, name.slice(0, dot)) ? fields[name.slice(0, dot)] : undefined;
  if (typeof group !== "object" || group === null) return [];
  const given: unknown = Object.getOwnPropertyDescriptor(group, name.slice(dot + 1))?.value;
  const isTyped = typeof given === "object" && given !== null && "type" in given && "value" in given;
  const value: unknown = isTyped ? given.value : given;
  return (Array.isArray(value) ? value : [value])
    .filter((one) => ["string", "number", "boolean"].includes(typeof one))
    .map((one) => String(one).trim())
    .filter((text) => text !== "");
}

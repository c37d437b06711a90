// The table of all fields of Shopify's Liquid objects, for the reference pages.
// Declares the types of all objects.
import "../src/theme/render/globals.ts";
import { isEmptyField, knownTypes } from "../src/theme/objects/template-object.ts";
import data from "./shopify-objects.json" with { type: "json" };

/**
 * Names of `scripts/shopify-objects.json`. `fields`: each object's fields in Shopify/theme-liquid-docs 75925aa (August
 * 2026). `sameType`: objects that Vitrine declares under another name. `undeclaredFields`: fields with a value of
 * objects without a declared type. `reasons`: objects ("robots") and fields ("form.message") without a value.
 */
interface ShopifyObjects {
  readonly fields: Readonly<Record<string, string>>;
  readonly sameType: Readonly<Record<string, string>>;
  readonly undeclaredFields: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
}

type FieldState = "value" | "nil" | "absent";

/**
 * Returns the table as Markdown.
 * @throws Error if a field without a value has no reason, or a reason names no such field
 */
export function shopifyObjectsText({ fields, sameType, undeclaredFields, reasons }: ShopifyObjects = data): string {
  const reasonsByName = new Map(
    Object.entries(reasons).flatMap(([reason, names]) => names.split(" ").map((name) => [name, reason] as const)),
  );
  const unusedNames = new Set(reasonsByName.keys());
  const counts = { value: 0, nil: 0, absent: 0 };
  const rows = Object.entries(fields).map(([object, names]) => {
    const type = sameType[object] ?? object;
    const undeclared = new Set(undeclaredFields[object]?.split(" "));
    const cells: Record<FieldState, string[]> = { value: [], nil: [], absent: [] };
    const rowReasons = new Set<string>();
    for (const field of names.split(" ")) {
      const state = undeclared.has(field) ? "value" : stateOf(type, field);
      cells[state].push(`\`${field}\``);
      counts[state] += 1;
      if (state === "value") continue;
      const name = [`${object}.${field}`, object].find((candidate) => reasonsByName.has(candidate));
      if (name === undefined) throw new Error(`scripts/shopify-objects.json has no reason for ${object}.${field}`);
      unusedNames.delete(name);
      rowReasons.add(reasonsByName.get(name) ?? "");
    }
    const { value, nil, absent } = cells;
    return `| \`${object}\` | ${[value, nil, absent].map((list) => list.join(", ")).join(" | ")} | ${[...rowReasons].join("; ")} |\n`;
  });
  if (unusedNames.size > 0) throw new Error(`Reasons name fields that have a value: ${[...unusedNames].join(", ")}`);
  const total = counts.value + counts.nil + counts.absent;
  return [
    "# Shopify objects\n",
    "`npm run reference` generates this page from `scripts/shopify-objects.json` and the data of `vitrine check`.\n",
    `Of the ${total} fields of Shopify's Liquid objects (August 2026), ${counts.value} have a value, ${counts.nil} are known and always empty, and ${counts.absent} are absent. Templates read an absent field as nil; \`vitrine check\` reports it.\n`,
    `| object | with a value | always empty | absent | reason |\n|---|---|---|---|---|\n${rows.join("")}`,
  ].join("\n");
}

function stateOf(type: string, field: string): FieldState {
  if (knownTypes.get(type)?.has(field) !== true) return "absent";
  return isEmptyField(type, field) ? "nil" : "value";
}

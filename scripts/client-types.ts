// Generates the types of the Node client, `packages/client/generated/`, from the schemas of openapi.yaml: `npm run client-types`.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

const root = new URL("../", import.meta.url);
const folder = new URL("packages/client/generated/", root);

/**
 * Schemas of openapi.yaml by generated file. A file also contains the schemas that these refer to, unless an earlier
 * file does.
 */
const files: Readonly<Record<string, readonly string[]>> = {
  "problem.ts": ["Problem"],
  "catalog.ts": ["Product", "Recommendations", "ListedProduct", "CollectionRecord"],
  "search.ts": ["SuggestAnswer", "SearchPageAnswer", "SearchPagesAnswer"],
  "cart.ts": ["CartAdded", "CartRead", "CartProblem", "BuyNowAnswer", "ShippingRates"],
  "cart-requests.ts": ["AddRequest", "ChangeRequest", "UpdateRequest", "BuyNowRequest"],
  "checkouts.ts": ["Checkout", "Payment", "CompletedCheckout"],
  "orders.ts": [
    "Order",
    "OrderList",
    "OrderAnswer",
    "OrderLog",
    "CancelRequest",
    "ShipRequest",
    "RefundRequest",
    "EmailRequest",
  ],
  "management.ts": ["TokenInfo", "StockChange", "StockAnswer", "CatalogEdit", "CatalogAnswer"],
};

/** Returns the text of each generated file, by file name. */
export function clientTypes(): ReadonlyMap<string, string> {
  const document = parse(readFileSync(new URL("openapi.yaml", root), "utf8")) as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const { schemas } = document.components;
  const fileBySchema = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const [file, names] of Object.entries(files)) {
    const ownNames = names.flatMap((name) => findReachable(name, schemas)).filter((name) => !fileBySchema.has(name));
    for (const name of ownNames) fileBySchema.set(name, file);
    texts.set(file, formatCode(textOf([...new Set(ownNames)].sort(), file, schemas, fileBySchema), file));
  }
  return texts;
}

function textOf(
  names: readonly string[],
  file: string,
  schemas: Readonly<Record<string, Schema>>,
  fileBySchema: ReadonlyMap<string, string>,
): string {
  const types = names.map((name) => {
    const schema = schemas[name] ?? {};
    return `${comment(schema.description, "")}export type ${name} = ${typeOf(schema, "")};\n`;
  });
  const importedNames = names
    .flatMap((name) => refsOf(schemas[name] ?? {}))
    .filter((name) => fileBySchema.get(name) !== file);
  const imports = Object.keys(files).flatMap((importedFile) => {
    const used = [...new Set(importedNames.filter((name) => fileBySchema.get(name) === importedFile))].sort();
    return used.length === 0 ? [] : [`import type { ${used.join(", ")} } from "./${importedFile}";\n`];
  });
  const head = "// Generated from openapi.yaml by `npm run client-types`.\n";
  return [head, imports.sort().join(""), types.join("\n")].filter(Boolean).join(imports.length === 0 ? "\n" : "");
}

/** Formats a file with the settings of the repository. */
function formatCode(text: string, file: string): string {
  const args = ["check", "--write", `--stdin-file-path=packages/client/generated/${file}`];
  const biome = fileURLToPath(new URL("node_modules/@biomejs/biome/bin/biome", root));
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...args], {
    input: text,
    cwd: fileURLToPath(root),
  });
  if (status !== 0) throw new Error(`${file} cannot be formatted: ${stderr}`);
  return stdout.toString();
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return union(
      schema.enum.map((value) => JSON.stringify(value)),
      indent,
    );
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeOf(part, indent)).join(" & ");
  if (schema.anyOf !== undefined)
    return union(
      schema.anyOf.map((part) => typeOf(part, indent)),
      indent,
    );
  const types = [schema.type ?? "unknown"].flat();
  return union(
    types.map((type) => plainType(type, schema, indent)),
    indent,
  );
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === "integer") return "number";
  if (type === "array") {
    const item = typeOf(schema.items ?? {}, indent);
    return `readonly ${/[|&]/.test(item.replaceAll(/\{[\s\S]*\}/g, "")) ? `(${item})` : item}[]`;
  }
  return type === "object" ? recordType(schema, indent) : type;
}

function recordType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${comment(schema.description, inner)}${inner}readonly ${name}${mark}: ${typeOf(schema, inner)};\n`;
  });
  if (additionalProperties === true) fields.push(`${inner}readonly [field: string]: unknown;\n`);
  if (typeof additionalProperties === "object")
    return `Readonly<Record<string, ${typeOf(additionalProperties, indent)}>>`;
  return fields.length === 0 ? "Readonly<Record<string, never>>" : `{\n${fields.join("")}${indent}}`;
}

function union(types: readonly string[], indent: string): string {
  const all = [...new Set(types)];
  const line = all.join(" | ");
  if (line.length < 80 || line.includes("\n")) return line;
  return all.map((type) => `\n${indent}  | ${type}`).join("");
}

function comment(description: string | undefined, indent: string): string {
  return description === undefined ? "" : `${indent}/** ${description.replaceAll("\n", " ").trim()} */\n`;
}

function nameOf(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

function refsOf(schema: Schema): readonly string[] {
  const { $ref, properties = {}, additionalProperties, items, allOf = [], anyOf = [] } = schema;
  const parts = [...Object.values(properties), ...allOf, ...anyOf, ...(items === undefined ? [] : [items])];
  if (typeof additionalProperties === "object") parts.push(additionalProperties);
  return [...($ref === undefined ? [] : [nameOf($ref)]), ...parts.flatMap(refsOf)];
}

/** Returns a schema and all schemas to which it refers, directly or indirectly. */
function findReachable(name: string, schemas: Readonly<Record<string, Schema>>): readonly string[] {
  const reachableNames = new Set<string>([name]);
  for (const one of reachableNames) for (const ref of refsOf(schemas[one] ?? {})) reachableNames.add(ref);
  return [...reachableNames];
}

if (import.meta.main) for (const [file, text] of clientTypes()) writeFileSync(new URL(file, folder), text);

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { cacheFolder } from "./cache-folder.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema?: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly method: "GET" | "POST" | "PUT";
  /** Path as in the document, such as "/products/{handle}.js". */
  readonly path: string;
  readonly isUnprefixed: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly required?: boolean; readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** Response of a server. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface ApiDocument {
  readonly raw: Json;
  /** All operations. Operations of alias paths are listed under each path. */
  readonly operations: readonly Operation[];
  /** Returns the operation at a path, without its locale prefix. */
  find(method: string, address: string): Operation | undefined;
  /**
   * Returns differences between a response and the document, including undocumented fields.
   */
  mismatchesOf(operation: Operation, answer: Answer): readonly string[];
  /** Returns differences between a value and a schema. Undocumented fields are allowed, as in requests. */
  openMismatches(schema: Json, value: unknown): readonly string[];
  /** Returns differences like {@link openMismatches}, including undocumented fields. */
  closedMismatches(schema: Json, value: unknown): readonly string[];
}

/** Reads `openapi.yaml`. */
export function readApiDocument(): ApiDocument {
  const raw = readParsed();
  const operations = readOperations(raw);
  const matchers = operations.map((operation) => ({ operation, matcher: matcherOf(operation.path) }));
  const validators = createValidators(raw);
  return {
    raw,
    operations,
    find(method, address) {
      const path = address.split("?", 1)[0] ?? "";
      return matchers
        .filter(({ operation, matcher }) => operation.method === method && matcher.test(path))
        .map(({ operation }) => operation)
        .sort((a, b) => literal(b.path).length - literal(a.path).length)[0];
    },
    mismatchesOf: (operation, answer) => mismatchesOf(operation, answer, validators.closed),
    openMismatches: (schema, value) => faultsIn(validators.open(schema), value),
    closedMismatches: (schema, value) => faultsIn(validators.closed(schema), value),
  };
}

/**
 * Reads the parsed document from a cache, because parsing takes half a second and a hundred test files need it. The key
 * is a digest of the text.
 */
function readParsed(): Json {
  const text = readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8");
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const cacheFile = join(cacheFolder, `openapi-${digest}.json`);
  try {
    return JSON.parse(readFileSync(cacheFile, "utf8")) as Json;
  } catch {
    const parsed = parse(text) as Json;
    const written = `${cacheFile}.${process.pid}`;
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(written, JSON.stringify(parsed));
    renameSync(written, cacheFile);
    return parsed;
  }
}

function mismatchesOf(
  { responses, operationId }: Operation,
  { status, headers, text }: Answer,
  validatorOf: (schema: Json) => ValidateFunction,
): readonly string[] {
  // "default" describes errors that any operation may return.
  const response = responses[String(status)] ?? (status >= 400 ? responses.default : undefined);
  if (response === undefined) return [`${operationId}: the status ${status} is not documented`];
  const lacking = Object.entries(response.headers ?? {})
    .filter(([name, { required }]) => required === true && headers[name.toLowerCase()] === undefined)
    .map(([name]) => `${operationId}: the answer ${status} lacks the header ${name}`);
  if (response.content === undefined || text === "") return lacking;
  const type = String(headers["content-type"] ?? "").split(";", 1)[0] ?? "";
  const media = response.content[type] ?? response.content["*/*"];
  if (media === undefined) return [...lacking, `${operationId}: ${status} as ${type} is not documented`];
  if (media.schema === undefined) return lacking;
  const value: unknown = type === "application/json" ? JSON.parse(text) : text;
  const faults = faultsIn(validatorOf(media.schema), value);
  return [...lacking, ...faults.map((fault) => `${operationId}: ${status} ${fault}`)];
}

function faultsIn(validate: ValidateFunction, value: unknown): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function readOperations(raw: Json): readonly Operation[] {
  const resolve = <T>(value: unknown): T => {
    const ref = (value as { $ref?: string }).$ref;
    if (ref === undefined) return value as T;
    const names = ref.slice(2).split("/");
    return resolve<T>(
      names.reduce<unknown>((at, name) => (at as Json)[name.replaceAll("~1", "/").replaceAll("~0", "~")], raw),
    );
  };
  const resolved = <T>(record: unknown): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries((record ?? {}) as Json).map(([name, value]) => [name, resolve<T>(value)]));
  return Object.entries(raw.paths as Json).flatMap(([path, item]) =>
    (["get", "post", "put"] as const).flatMap((method): readonly Operation[] => {
      const given = (item as Json)[method] as Json | undefined;
      if (given === undefined) return [];
      const body = given.requestBody as Operation["body"];
      const responses = Object.entries(resolved<Json>(given.responses)).map(([status, response]) => [
        status,
        { ...response, ...(response.headers === undefined ? {} : { headers: resolved(response.headers) }) },
      ]);
      return [
        {
          operationId: String(given.operationId),
          tags: (given.tags ?? []) as readonly string[],
          method: method.toUpperCase() as Operation["method"],
          path,
          isUnprefixed: given["x-locale-prefix"] === false,
          parameters: ((given.parameters ?? []) as readonly unknown[]).map((one) => resolve<Parameter>(one)),
          responses: Object.fromEntries(responses),
          security: (given.security ?? raw.security ?? []) as Operation["security"],
          ...(body === undefined ? {} : { body }),
        },
      ];
    }),
  );
}

function literal(path: string): string {
  return path.replaceAll(/\{\w+\}/g, "");
}

/** Returns a pattern for a path. "/media/{path}" matches the rest of the path. */
function matcherOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.]/g, "\\.")
    .replaceAll("{path}", ".+")
    .replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${source}$`);
}

type Validators = Readonly<Record<"open" | "closed", (schema: Json) => ValidateFunction>>;

function createValidators(raw: Json): Validators {
  const schemas = Object.entries((raw.components as { schemas: Readonly<Record<string, Json>> }).schemas);
  const ajv = new Ajv2020({
    allErrors: true,
    // The test of the document validates the schemas. Validation here would double the start time of each file.
    meta: false,
    validateSchema: false,
    code: { optimize: false },
    allowUnionTypes: true,
    strictRequired: false,
    strictTypes: false,
    formats: { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
  });
  ajv.addVocabulary(["example"]);
  for (const [name, schema] of schemas)
    for (const kind of ["closed", "part", "open"] as const) ajv.addSchema(variantOf(schema, kind), `${kind}-${name}`);
  const compiled = (kind: Variant): ((schema: Json) => ValidateFunction) => {
    const known = new Map<Json, ValidateFunction>();
    return (schema) => {
      const found = known.get(schema) ?? ajv.compile(variantOf(schema, kind));
      known.set(schema, found);
      return found;
    };
  };
  return { open: compiled("open"), closed: compiled("closed") };
}

/**
 * Treatment of undocumented fields. "closed" rejects them unless the schema allows them. "part" does so below the top
 * object, whose container is closed. "open" allows them.
 */
type Variant = "closed" | "part" | "open";

function variantOf(schema: Json, kind: Variant): Json {
  const inner: Variant = kind === "open" ? "open" : "closed";
  const of = (value: unknown, as: Variant): unknown =>
    typeof value === "object" ? variantOf(value as Json, as) : value;
  const change: Readonly<Record<string, (value: unknown) => unknown>> = {
    $ref: (value) => `${kind}-${String(value).split("/").at(-1)}`,
    properties: (value) =>
      Object.fromEntries(Object.entries(value as Json).map(([name, one]) => [name, of(one, inner)])),
    allOf: (value) => (value as readonly Json[]).map((one) => of(one, kind === "open" ? "open" : "part")),
    anyOf: (value) => (value as readonly Json[]).map((one) => of(one, kind)),
    oneOf: (value) => (value as readonly Json[]).map((one) => of(one, kind)),
    items: (value) => of(value, inner),
    additionalProperties: (value) => of(value, inner),
  };
  const isRecord = schema.allOf !== undefined || schema.type === "object" || schema.properties !== undefined;
  return {
    ...Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, change[name]?.(value) ?? value])),
    ...(kind === "closed" && isRecord && schema.additionalProperties === undefined
      ? { unevaluatedProperties: false }
      : {}),
  };
}

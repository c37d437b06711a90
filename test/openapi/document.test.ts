import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isCollection, parse, parseDocument, visit } from "yaml";
import type { CartStreams } from "../../src/http/cart/cart-streams.ts";
import { createRouteFinder } from "../../src/http/find-route.ts";
import type { ResizedImages } from "../../src/http/images/resized-images.ts";
import { createRoutes } from "../../src/http/routes.ts";
import type { Shop } from "../../src/shop.ts";
import { type Json, type Operation, readApiDocument } from "../support/api-document.ts";

const document = readApiDocument();
const { operations } = document;

/** The test only reads the routes, and calls no method of the shop. */
const routes = createRoutes({ config: { agents: true, compat: { forms: false } }, process: {} } as unknown as Shop, {
  storeDir: ".",
  resizedImages: {} as ResizedImages,
  cartStreams: {} as CartStreams,
  isDraining: () => false,
  threads: 1,
});
const locales = { default: "en", others: [] };
const find = createRouteFinder(routes, locales, () => assert.fail());

function routeOf({ path, parameters }: Pick<Operation, "path" | "parameters">) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = parameters.find((one) => one.in === "path" && one.name === name) ?? {};
    assert.ok(example !== undefined, `${path}: the parameter ${name} has an example`);
    return encodeURIComponent(String(example)).replaceAll("%3A", ":");
  });
  const target = { locale: "en", prefix: "", path: address, search: "" };
  const { pattern } = find(target, "GET", address);
  return routes.find((route) => route.path === pattern);
}

/** A separate listener serves /metrics. */
const served = operations.filter(({ path }) => path !== "/metrics");

test("parsers of YAML 1.1, such as Python's, read openapi.yaml like those of YAML 1.2", () => {
  const text = readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8");
  assert.deepEqual(parse(text, { version: "1.1" }), parse(text));
  // Python's parser rejects them.
  const unquotedTexts: unknown[] = [];
  visit(parseDocument(text), {
    Scalar(_, { type, value }, path) {
      if (type === "PLAIN" && String(value).includes("?") && path.some((node) => isCollection(node) && node.flow))
        unquotedTexts.push(value);
    },
  });
  assert.deepEqual(unquotedTexts, []);
});

test("a text with a comma is quoted in openapi.yaml, so that no part of it is a field", () => {
  const fields = new Set("name in required schema description example examples style explode".split(" "));
  for (const { path, parameters } of operations)
    for (const parameter of parameters)
      assert.deepEqual(
        Object.keys(parameter).filter((name) => !fields.has(name)),
        [],
        path,
      );
});

test("every schema of openapi.yaml is valid JSON Schema 2020-12", () => {
  const ajv = new Ajv2020({ strict: false });
  const { schemas } = document.raw.components as { schemas: Readonly<Record<string, Json>> };
  for (const [name, schema] of Object.entries(schemas))
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
});

test("every operation of openapi.yaml exists on the server, with a locale prefix where documented", () => {
  const violations = served.filter((operation) => {
    const route = routeOf(operation);
    const isThere =
      route?.methods[operation.method] !== undefined || (operation.method === "GET" && route?.linkHandler);
    return !isThere || (route?.isUnprefixed ?? false) !== operation.isUnprefixed;
  });
  assert.deepEqual(
    violations.map(({ method, path }) => `${method} ${path}`),
    [],
  );
});

test("openapi.yaml documents every route of the server and its methods", () => {
  const documented = new Set(served.map((operation) => `${operation.method} ${routeOf(operation)?.path}`));
  const routePaths = routes.flatMap(({ path, methods, linkHandler: followed }) => [
    ...Object.keys(methods).map((method) => `${method} ${path}`),
    ...(followed === undefined ? [] : [`GET ${path}`]),
  ]);
  assert.deepEqual(
    routePaths.filter((one) => !documented.has(one)),
    [],
  );
});

test("openapi.yaml has the version of the package and unique operation ids", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const { openapi, info } = document.raw as {
    readonly openapi: string;
    readonly info: { readonly version: string };
  };
  assert.match(openapi, /^3\.1\.\d$/);
  assert.equal(info.version, version);
  const names = operations.map(({ operationId }) => operationId);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});

test("every reference of openapi.yaml resolves, and every component is used", () => {
  const text = readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8");
  const referencedNames = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name));
  const components = document.raw.components as Readonly<Record<string, object>>;
  const there = Object.entries(components)
    .filter(([group]) => group !== "securitySchemes")
    .flatMap(([group, all]) => Object.keys(all).map((name) => `${group}/${name}`));
  assert.deepEqual([...referencedNames.symmetricDifference(new Set(there))], []);
});

test("examples of responses match their schemas", () => {
  const faults = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap(({ schema, example }) =>
        schema === undefined || example === undefined
          ? []
          : document.closedMismatches(schema, example).map((fault) => `${operationId} ${status}: ${fault}`),
      ),
    ),
  );
  assert.deepEqual(faults, []);
});

test("examples of requests match their schemas", () => {
  const faults = operations.flatMap(({ operationId, body }) =>
    Object.entries(body?.content ?? {})
      .filter(([type]) => type === "application/json")
      .flatMap(([, { schema = {}, examples = {} }]) =>
        Object.values(examples).flatMap(({ value }) =>
          document.openMismatches(schema, value).map((fault) => `${operationId}: ${fault}`),
        ),
      ),
  );
  assert.deepEqual(faults, []);
});

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as v from "valibot";
import { address, submit } from "./checkout-page.ts";
import { type Client, type Headers, type Reply, send } from "./client.ts";
import { ucpShapes } from "./ucp-shapes.ts";

/**
 * Folder `source` of a checkout of the protocol's repository, release 2026-04-08. If it is given, responses are also
 * compared with the public schemas.
 */
const schemaFolder = process.env.VITRINE_UCP_SCHEMAS;
const BASE = "https://ucp.example/";
const ajv = schemaFolder === undefined ? undefined : loadSchemas(schemaFolder);

function loadSchemas(folder: string): Ajv2020 {
  const loaded = new Ajv2020({ strict: false, allErrors: true });
  loaded.addFormat("uri", (text: string) => URL.canParse(text));
  loaded.addFormat(
    "date-time",
    (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
  );
  loaded.addFormat("email", /^[^@\s]+@[^@\s]+$/);
  for (const path of globSync("{discovery,schemas}/**/*.json", { cwd: folder })) {
    const { $id: _, ...schema } = JSON.parse(readFileSync(join(folder, path), "utf8"));
    loaded.addSchema(schema, BASE + path);
  }
  return loaded;
}

/** Public schemas of the responses by operation. */
const responseSchemas = {
  profile: "discovery/profile_schema.json#/$defs/business_profile",
  search_catalog: "schemas/shopping/catalog_search.json#/$defs/search_response",
  lookup_catalog: "schemas/shopping/catalog_lookup.json#/$defs/lookup_response",
  get_product: "schemas/shopping/catalog_lookup.json#/$defs/get_product_response",
  create_cart: "schemas/shopping/cart.json",
  get_cart: "schemas/shopping/cart.json",
  update_cart: "schemas/shopping/cart.json",
  cancel_cart: "schemas/shopping/cart.json",
  get_order: "schemas/shopping/order.json",
  error: "schemas/shopping/types/error_response.json",
} as const;

export type UcpName = keyof typeof responseSchemas;

/** A cart as agents see it. */
export interface AgentCart {
  readonly id: string;
  readonly line_items: readonly {
    readonly id: string;
    readonly item: { readonly id: string };
    readonly quantity: number;
  }[];
  readonly totals: readonly { readonly type: string; readonly amount: number }[];
  readonly messages?: readonly UcpMessage[];
  readonly continue_url: string;
}

export interface UcpMessage {
  readonly type: string;
  readonly code: string;
  readonly content: string;
  readonly path?: string;
}

/** Asserts that a response has the protocol's form. A response with the status "error" must be an error. */
export function assertUcp(name: UcpName, response: unknown): void {
  const isError = (response as { ucp?: { status?: string } })?.ucp?.status === "error";
  const result = v.safeParse(ucpShapes[isError ? "error" : name], response);
  assert.ok(
    result.success,
    `${name}: ${result.success ? "" : v.summarize(result.issues)}\n${JSON.stringify(response)}`,
  );
  if (ajv === undefined) return;
  const validate = ajv.getSchema(BASE + responseSchemas[isError ? "error" : name]);
  assert.ok(validate, `there is a schema for ${name}`);
  assert.ok(validate(response), `${name}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(response)}`);
}

const rest = {
  search_catalog: ["POST", "/catalog/search"],
  lookup_catalog: ["POST", "/catalog/lookup"],
  get_product: ["POST", "/catalog/product"],
  create_cart: ["POST", "/carts"],
  get_cart: ["GET", "/carts/:id"],
  update_cart: ["PUT", "/carts/:id"],
  cancel_cart: ["POST", "/carts/:id/cancel"],
  get_order: ["GET", "/orders/:id"],
} as const;

/** Calls an operation by REST. Asserts that the response matches its schema, unless it is an error of HTTP. */
export async function callRest(
  origin: string,
  name: keyof typeof rest,
  body?: object | string,
  { id = "", headers = {} }: { readonly id?: string; readonly headers?: Headers } = {},
): Promise<Reply> {
  const [method, path] = rest[name];
  const reply = await send(origin, method, `/ucp/v1${path.replace(":id", encodeURIComponent(id))}`, {
    headers: { "content-type": "application/json", "ucp-agent": 'profile="https://agent.example/ucp"', ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  if (reply.status < 300) assertUcp(name, reply.json());
  return reply;
}

/** Creates a cart by REST.  @returns the cart; asserts that the request succeeded */
export async function createAgentCart(
  origin: string,
  items: readonly { readonly id: number | string; readonly quantity?: number; readonly quote?: string }[],
  context?: object,
): Promise<AgentCart> {
  const reply = await callRest(origin, "create_cart", cartOf(items, context));
  assert.equal(reply.status, 201, reply.text);
  return reply.json<AgentCart>();
}

/** Returns the request of a cart. */
export function cartOf(
  items: readonly { readonly id: number | string; readonly quantity?: number; readonly quote?: string }[],
  context?: object,
): object {
  return {
    line_items: items.map(({ id, quantity = 1, quote }) => ({ item: { id: String(id), quote }, quantity })),
    ...(context === undefined ? {} : { context }),
  };
}

/** Returns the codes of a response's messages. */
export function codesOf(reply: Reply): readonly string[] {
  return (reply.json<{ messages?: readonly UcpMessage[] }>().messages ?? []).map(({ code }) => code);
}

/** Opens the checkout link of a cart like a buyer's browser, and submits the order form.  @returns both responses */
export async function buyBy(
  client: Client,
  { continue_url: link }: Pick<AgentCart, "continue_url">,
): Promise<{ readonly page: Reply; readonly order: Reply | undefined }> {
  const { pathname, search } = new URL(link);
  const page = await client.get(pathname + search);
  const order = page.status === 200 ? await submitOrder(client, page) : undefined;
  return { page, order };
}

/** Submits the order form of a checkout page with the selected shipping method. */
export async function submitOrder(client: Client, page: Reply): Promise<Reply> {
  const [, action = ""] = /<form[^>]* action="([^"]*\/checkout\/[^"]*)"/.exec(page.text) ?? [];
  const [, shipping] = /name="shipping" value="([^"]+)" checked/.exec(page.text) ?? [];
  return submit(
    client,
    { url: action.replaceAll("&amp;", "&"), page: page.text },
    { ...address, ...(shipping === undefined ? {} : { shipping }), order: "" },
  );
}

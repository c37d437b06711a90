import type { Body } from "../bodies/body.ts";
import type { StoreRequest } from "../wire/request.ts";
import type { UcpCapability, UcpResponse } from "./ucp.ts";

/** A call of an operation by a shopping agent, through MCP or REST. */
export interface AgentCall {
  /** Request in the language that the agent asked for. */
  readonly request: StoreRequest;
  /** Content of the request: the argument `catalog` or `cart` of MCP, or the body of REST. */
  readonly payload: Body;
  /** Id of a cart or an order; "" if the operation has none. */
  readonly id: string;
  readonly idempotencyKey?: string;
}

/** JSON Schema of an object. */
export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

/** An operation of the Universal Commerce Protocol. */
export interface AgentOperation<Needs> {
  /** Name of the MCP tool. */
  readonly name: string;
  readonly capability: UcpCapability;
  /** HTTP method and path. `:id` stands for the id of a cart or an order. */
  readonly endpoint: { readonly method: "GET" | "POST" | "PUT"; readonly path: string; readonly status?: 201 };
  /** Description for language models. */
  readonly description: string;
  /** Whether the operation changes a cart. */
  readonly changesCart: boolean;
  /** Arguments of the MCP tool, in addition to `meta`. */
  readonly arguments: Readonly<
    Record<string, ObjectSchema | { readonly type: "string"; readonly description: string }>
  >;
  /** @throws Problem */
  readonly run: (shop: Needs, call: AgentCall) => Promise<UcpResponse>;
}

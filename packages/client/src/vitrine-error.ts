import type { CartProblem } from "../generated/cart.ts";
import type { ProblemCode } from "../generated/problem.ts";

/**
 * The reason why a call failed.
 *
 * @example
 * if (error instanceof VitrineError && error.code === "insufficient_stock") show(error.message);
 */
export class VitrineError extends Error {
  override readonly name = "VitrineError";
  /** HTTP status; 0 if no attempt got a response. */
  readonly status: number;
  /** Code of the shop; "network" without a response; "unexpected" if the response does not come from the shop. */
  readonly code: ProblemCode | "network" | "unexpected";
  /** The response of the shop: `fields`, and for a lack of stock the unchanged `cart` and its `issues`. */
  readonly problem: Partial<CartProblem>;
  /** Seconds until a retry may succeed; undefined if the shop did not send them. */
  readonly retryAfter: number | undefined;

  /** @param body parsed JSON of the response; undefined if it is not JSON */
  constructor(status: number, body: unknown, more: { readonly retryAfter?: number; readonly cause?: unknown } = {}) {
    const problem: Partial<CartProblem> = typeof body === "object" && body !== null ? body : {};
    // Errors of the search have only a `description`.
    super(
      problem.description ?? problem.message ?? messageOf(status),
      more.cause === undefined ? {} : { cause: more.cause },
    );
    this.status = status;
    this.code =
      problem.error ?? (status === 0 ? "network" : problem.description === undefined ? "unexpected" : codeOf(status));
    this.problem = problem;
    this.retryAfter = more.retryAfter;
  }
}

function messageOf(status: number): string {
  return status === 0 ? "The shop could not be reached." : `Unexpected response with status ${status}.`;
}

/** Errors of the search have no code. */
function codeOf(status: number): ProblemCode {
  if (status < 500) return "invalid_parameter";
  return status === SERVICE_UNAVAILABLE ? "overloaded" : "internal_error";
}

const SERVICE_UNAVAILABLE = 503;

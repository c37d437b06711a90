import type { CartProblem } from "../generated/cart.ts";
import type { ProblemCode } from "../generated/problem.ts";

/**
 * Thrown by client methods if the shop returns an error or cannot be reached.
 *
 * @example if (error instanceof VitrineError && error.code === "insufficient_stock") show(error.message);
 */
export class VitrineError extends Error {
  override readonly name = "VitrineError";
  /** HTTP status, or 0 if no attempt received a response. */
  readonly status: number;
  /**
   * Error code of the shop. "network" means that no response was received, "unexpected" that the response does not come
   * from the shop.
   */
  readonly code: ProblemCode | "network" | "unexpected";
  /**
   * Error response of the shop, with its field errors. For insufficient stock, it contains the unchanged `cart` and its
   * `issues`.
   */
  readonly problem: Partial<CartProblem>;
  /** Seconds to wait before a retry; undefined if the shop did not send them. */
  readonly retryAfter: number | undefined;

  /** Creates an error from a response.  @param body parsed JSON of the response; undefined if it is not JSON */
  constructor(status: number, body: unknown, options: { readonly retryAfter?: number; readonly cause?: unknown } = {}) {
    const problem: Partial<CartProblem> = typeof body === "object" && body !== null ? body : {};
    // Errors of the search API have a `description` instead of a `message`.
    super(
      problem.description ?? problem.message ?? getDefaultMessage(status),
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.status = status;
    this.code =
      problem.error ??
      (status === 0 ? "network" : problem.description === undefined ? "unexpected" : getProblemCode(status));
    this.problem = problem;
    this.retryAfter = options.retryAfter;
  }
}

function getDefaultMessage(status: number): string {
  return status === 0 ? "The shop could not be reached." : `Unexpected response with status ${status}.`;
}

/** Derives an error code from the status, because errors of the search API have no code. */
function getProblemCode(status: number): ProblemCode {
  if (status < 500) return "invalid_parameter";
  return status === SERVICE_UNAVAILABLE ? "overloaded" : "internal_error";
}

const SERVICE_UNAVAILABLE = 503;

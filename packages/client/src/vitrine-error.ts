import type { CartProblem } from "../generated/cart.ts";
import type { ProblemCode } from "../generated/problem.ts";

/** Why a call failed. */
export class VitrineError extends Error {
  override readonly name = "VitrineError";
  /** The HTTP status; 0: no answer came, however often it was tried. */
  readonly status: number;
  /** The shop's own code; "network": no answer came; "unexpected": the answer is none of the shop's. */
  readonly code: ProblemCode | "network" | "unexpected";
  /** All that the shop said: `fields`, and on a refusal for stock the unchanged `cart` and `issues`. */
  readonly problem: Partial<CartProblem>;
  /** Seconds after which another try is worth it, where the shop says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, answer: unknown, more: { readonly retryAfter?: number; readonly cause?: unknown } = {}) {
    const said: Partial<CartProblem> = typeof answer === "object" && answer !== null ? answer : {};
    // A refusal of the search has its sentence in `description` alone.
    super(
      said.description ?? said.message ?? sentenceOf(status),
      more.cause === undefined ? {} : { cause: more.cause },
    );
    this.status = status;
    this.code =
      said.error ?? (status === 0 ? "network" : said.description === undefined ? "unexpected" : codeOf(status));
    this.problem = said;
    this.retryAfter = more.retryAfter;
  }
}

function sentenceOf(status: number): string {
  return status === 0 ? "No connection to the shop." : `Unexpected response with status ${status}.`;
}

/** The search names no code. */
function codeOf(status: number): ProblemCode {
  if (status < 500) return "invalid_parameter";
  return status === SERVICE_UNAVAILABLE ? "overloaded" : "internal_error";
}

const SERVICE_UNAVAILABLE = 503;

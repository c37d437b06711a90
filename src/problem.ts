/** One error in a request. `rule` is a word a program can test, `message` a sentence for people. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  /** Line in a batch; undefined if it concerns the whole request. */
  readonly line?: number;
}

/** Codes of error responses; `http/error-responses.ts` maps them to statuses. */
export type ProblemCode =
  | "validation_failed"
  | "unauthorized"
  | "amount_differs"
  | "reference_taken"
  | "refund_due"
  | "order_cancelled"
  | "payment_unavailable"
  | "quote_unavailable"
  | "insufficient_scope"
  | "payload_too_large"
  | "invalid_sections_url"
  | "customer_required"
  | "csrf_missing"
  | "csrf_mismatch"
  | "csrf_invalid"
  | "csrf_origin_blocked"
  | "insufficient_stock"
  | "out_of_stock"
  | "cart_changed"
  | "idempotency_conflict"
  | "catalog_busy"
  | "cart_service_unavailable"
  | "overloaded"
  | "rate_limited"
  | "invalid_parameter"
  | "section_not_found"
  | "not_found"
  | "method_not_allowed"
  | "bad_request";

/** An expected error: the request was understood and is rejected. Any other exception is a bug. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: readonly FieldError[];
  /**
   * Data of the error besides its field errors (the unchanged cart, issues, allowed methods); typed where it is read.
   */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(
    code: ProblemCode,
    message: string,
    fields: readonly FieldError[] = [],
    detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = "Problem";
    this.code = code;
    this.fields = fields;
    this.detail = detail;
  }
}

/** Maximum field errors in one response. */
export const MAX_FIELD_ERRORS = 20;

/**
 * Returns a `validation_failed` with the first field errors, and the number of the others in its message. @param faults
 * at least one
 */
export function invalidAll(faults: readonly FieldError[]): Problem {
  const named = faults.slice(0, MAX_FIELD_ERRORS);
  return new Problem("validation_failed", inWords(named, faults.length), named);
}

/**
 * Joins messages into one string without repetitions. @param count total number, including errors that are not listed
 */
export function inWords(named: readonly Pick<FieldError, "message">[], count: number): string {
  const messages = [...new Set(named.map(({ message }) => message))];
  const more = count - named.length;
  return [...messages, ...(more > 0 ? [`The same request has ${more} more errors.`] : [])].join(" ");
}

/** Returns a `validation_failed` with one field error. @see spec 7.2 */
export function invalid(field: string, rule: string, message: string): Problem {
  return new Problem("validation_failed", message, [{ field, rule, message }]);
}

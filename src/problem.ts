/** One error in a request. `rule` is an identifier for programs, `message` a sentence for people. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  /** Line number in a batch; undefined if the error concerns the entire request. */
  readonly line?: number;
}

/** Codes of error responses. `http/error-responses.ts` maps them to HTTP statuses. */
export type ProblemCode =
  | "validation_failed"
  | "unauthorized"
  | "amount_differs"
  | "reference_taken"
  | "refund_due"
  | "order_cancelled"
  | "order_changed"
  | "order_conflict"
  | "revision_required"
  | "payment_unavailable"
  | "quote_unavailable"
  | "quote_changed"
  | "invalid_profile_url"
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
  | "catalog_changed"
  | "stock_changed"
  | "settings_changed"
  | "settings_read_only"
  | "cart_service_unavailable"
  | "overloaded"
  | "rate_limited"
  | "invalid_parameter"
  | "section_not_found"
  | "not_found"
  | "method_not_allowed"
  | "bad_request";

/** An expected error: the server understood the request and rejects it. All other exceptions are bugs. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: readonly FieldError[];
  /** Additional data of the error, such as the unchanged cart, issues, or allowed methods. */
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

/** Maximum number of field errors in a response. */
export const MAX_FIELD_ERRORS = 20;

/**
 * Creates a `validation_failed` error with the first field errors. The message states the number of further errors.
 * @param errors at least one error
 */
export function createFieldsProblem(errors: readonly FieldError[]): Problem {
  const listedErrors = errors.slice(0, MAX_FIELD_ERRORS);
  return new Problem("validation_failed", joinMessages(listedErrors, errors.length), listedErrors);
}

/** Joins distinct messages to one string.  @param count total number of errors, including those that are not listed */
export function joinMessages(listedErrors: readonly Pick<FieldError, "message">[], count: number): string {
  const messages = [...new Set(listedErrors.map(({ message }) => message))];
  const unlistedCount = count - listedErrors.length;
  return [...messages, ...(unlistedCount > 0 ? [`The request has ${unlistedCount} more errors.`] : [])].join(" ");
}

/** Creates a `validation_failed` error with one field error.  @see spec 7.2 */
export function createFieldProblem(field: string, rule: string, message: string): Problem {
  return new Problem("validation_failed", message, [{ field, rule, message }]);
}

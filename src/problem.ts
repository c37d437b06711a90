/** One thing that is wrong with a request. `rule` is a word a program can test, `message` a sentence for people. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  /** Of a batch; absent: it is not one line's. */
  readonly line?: number;
}

/** Codes of refusals; `http/error-responses.ts` alone knows which status each has. */
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

/** A refusal: the request was understood and is not granted. Anything else that is thrown is a bug. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: readonly FieldError[];
  /** What the refusal knows beside its faults (the unchanged cart, issues, allowed methods); typed where it is read. */
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

/** Faults that one refusal names. */
export const MAX_FAULTS = 20;

/** A `validation_failed` with the first of many faults, and with the number of the others in its message. @param faults at least one */
export function invalidAll(faults: readonly FieldError[]): Problem {
  const named = faults.slice(0, MAX_FAULTS);
  return new Problem("validation_failed", inWords(named, faults.length), named);
}

/** Messages as one text, each said once. @param count how many there are with those that are not named */
export function inWords(named: readonly Pick<FieldError, "message">[], count: number): string {
  const messages = [...new Set(named.map(({ message }) => message))];
  const more = count - named.length;
  return [...messages, ...(more > 0 ? [`The same request has ${more} more faults.`] : [])].join(" ");
}

/** A `validation_failed` with one fault. @see spec 7.2 */
export function invalid(field: string, rule: string, message: string): Problem {
  return new Problem("validation_failed", message, [{ field, rule, message }]);
}

// Generated from openapi.yaml by `npm run client-types`.

/** An error in a request. */
export type Fault = {
  /** The name of the field in the request; alternatives are joined by `|`. */
  readonly field: string;
  /** A code for programs: required, integer, min, max, exists, forbidden … */
  readonly rule: string;
  readonly message: string;
  /** The line of a batch, from 1. */
  readonly line?: number;
};

/** An error response of all endpoints except the search. Nothing was changed. */
export type Problem = {
  readonly error: ProblemCode;
  /** The first errors; empty if none belongs to a field. */
  readonly fields: readonly Fault[];
  /** The HTTP status. */
  readonly status: number;
  /** A sentence: what failed, and what to do. */
  readonly message: string;
  /** Equal to `message`, for themes. */
  readonly description: string;
  /** Equal to `message`, for themes. */
  readonly errors: string;
};

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
  | "bad_request"
  | "payment_unavailable"
  | "quote_unavailable"
  | "quote_changed"
  | "invalid_profile_url"
  | "internal_error";

import { type FieldError, fieldsProblem } from "../problem.ts";

/** Shipment of an order, with tracking data. */
export interface Shipment {
  /** Time of shipment in milliseconds since 1970. */
  readonly at: number;
  readonly carrier?: string;
  readonly trackingNumber?: string;
  /** URL with the scheme http or https. */
  readonly trackingUrl?: string;
}

const MAX_TEXT_LENGTH = 255;
const MAX_URL_LENGTH = 2_048;

/**
 * Parses a shipment from the fields of an API request. All fields are optional, and an empty field counts as missing.
 * @param body untrusted input
 * @throws Problem `validation_failed` with all invalid fields
 */
export function parseShipment(body: Readonly<Record<string, unknown>>, at: number): Shipment {
  const errors: FieldError[] = [];
  const readText = (field: string, maxLength: number): string | undefined => {
    const value = body[field] ?? "";
    if (typeof value === "string" && value.length <= maxLength) return value.trim() || undefined;
    errors.push({ field, rule: "length", message: `${field} must be a string of at most ${maxLength} characters.` });
    return undefined;
  };
  const carrier = readText("carrier", MAX_TEXT_LENGTH);
  const trackingNumber = readText("tracking_number", MAX_TEXT_LENGTH);
  const trackingUrl = readText("tracking_url", MAX_URL_LENGTH);
  // The URL becomes a link on the order's page and in an email.
  if (trackingUrl !== undefined && !(/^https?:\/\//i.test(trackingUrl) && URL.canParse(trackingUrl)))
    errors.push({
      field: "tracking_url",
      rule: "format",
      message: "tracking_url is an address that begins with https://.",
    });
  if (errors.length > 0) throw fieldsProblem(errors);
  return {
    at,
    ...(carrier === undefined ? {} : { carrier }),
    ...(trackingNumber === undefined ? {} : { trackingNumber }),
    ...(trackingUrl === undefined ? {} : { trackingUrl }),
  };
}

import { createFieldsProblem, type FieldError } from "../problem.ts";

/** Shipment of some or all items of an order. */
export interface Shipment extends Parcel {
  /** Time of shipment in milliseconds since 1970. */
  readonly at: number;
  readonly items: readonly OrderItem[];
}

/** A line of an order, and a number of its units. */
export interface OrderItem {
  /** Key of the line. */
  readonly key: string;
  /** At least 1. */
  readonly quantity: number;
}

/** Tracking data of a shipment. */
export interface Parcel {
  readonly carrier?: string;
  readonly trackingNumber?: string;
  /** URL with the scheme http or https. */
  readonly trackingUrl?: string;
}

const MAX_TEXT_LENGTH = 255;
const MAX_URL_LENGTH = 2_048;

/**
 * Parses tracking data from the fields of an API request. All fields are optional. An empty field counts as missing.
 * @param body untrusted input
 * @throws Problem `validation_failed` with all invalid fields
 */
export function parseParcel(body: Readonly<Record<string, unknown>>): Parcel {
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
  if (errors.length > 0) throw createFieldsProblem(errors);
  return {
    ...(carrier === undefined ? {} : { carrier }),
    ...(trackingNumber === undefined ? {} : { trackingNumber }),
    ...(trackingUrl === undefined ? {} : { trackingUrl }),
  };
}

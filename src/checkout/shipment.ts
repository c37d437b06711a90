import { type Fault, invalidAll } from "../problem.ts";

/** That an order was sent to its shopper, and how it can be followed on its way. */
export interface Shipment {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly carrier?: string;
  readonly trackingNumber?: string;
  /** http(s) */
  readonly trackingUrl?: string;
}

const MAX_TEXT = 255;
const MAX_URL = 2_048;

/** What is told of a shipment, under the names of the interface; all of it may be left out, and what is empty counts as that.
 *  @param written untrusted  @throws Problem `validation_failed` that names each field that is wrong */
export function parseShipment(written: Readonly<Record<string, unknown>>, at: number): Shipment {
  const faults: Fault[] = [];
  const text = (field: string, most: number): string | undefined => {
    const value = written[field] ?? "";
    if (typeof value === "string" && value.length <= most) return value.trim() || undefined;
    faults.push({ field, rule: "length", message: `${field} is a text of at most ${most} characters.` });
    return undefined;
  };
  const carrier = text("carrier", MAX_TEXT);
  const trackingNumber = text("tracking_number", MAX_TEXT);
  const trackingUrl = text("tracking_url", MAX_URL);
  // It becomes a link on the shopper's page and in a mail.
  if (trackingUrl !== undefined && !(/^https?:\/\//i.test(trackingUrl) && URL.canParse(trackingUrl)))
    faults.push({
      field: "tracking_url",
      rule: "format",
      message: "tracking_url is an address that begins with https://.",
    });
  if (faults.length > 0) throw invalidAll(faults);
  return {
    at,
    ...(carrier === undefined ? {} : { carrier }),
    ...(trackingNumber === undefined ? {} : { trackingNumber }),
    ...(trackingUrl === undefined ? {} : { trackingUrl }),
  };
}

import { Drop, plainValue } from "../values/drop.ts";
import { isFloat } from "../values/float.ts";
import { inspect, textOf } from "../values/text.ts";

/** Returns the key by which `uniq` compares: 1 and 1.0 differ, and objects equal themselves only. */
export function identityOf(value: unknown): unknown {
  const shown = plainValue(value);
  if (shown === undefined || shown === null) return "nil";
  if (typeof shown === "string") return `"${shown}`;
  if (shown instanceof Drop) return shown;
  return isFloat(shown) ? textOf(shown) : inspect(shown);
}

import { defaultLimits, type Limits } from "@vitrine/liquid";

/** Maximum characters of HTML of a section. */
export const maxText = 1_000_000;
/** Maximum characters of a page. */
export const maxPage = 5_000_000;

/** @param output maximum characters of output */
export function limitsOf(output: number): Limits {
  return { ...defaultLimits, output };
}

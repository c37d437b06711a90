import { defaultLimits, type Limits } from "../../liquid/limits.ts";

/** Characters of HTML a section may make. */
export const maxText = 1_000_000;
/** Characters of a whole page. */
export const maxPage = 5_000_000;

/** @param output characters that may be made */
export function limitsOf(output: number): Limits {
  return { ...defaultLimits, output };
}

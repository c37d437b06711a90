import { Problem } from "../../problem.ts";

/** What `rendering` gives; where the theme has no such section, the refusal names it as the spec words it. @see spec 7.1 */
export async function namedSection<T>(id: string, rendering: Promise<T>): Promise<T> {
  try {
    return await rendering;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "section_not_found") throw error;
    const shown = id.replace(/[\p{Cc}\p{Cf}]/gu, "").slice(0, MAX_SHOWN);
    throw new Problem("section_not_found", `Section not found: '${shown}' was not found in the theme`);
  }
}

/** UTF-16 units of an id that are repeated to the caller. */
const MAX_SHOWN = 100;

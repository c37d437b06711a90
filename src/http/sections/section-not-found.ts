import { Problem } from "../../problem.ts";

/**
 * Resolves to the result of `rendering`; if the theme has no such section, rejects with the error in the spec's words.
 * @see spec 7.1
 */
export async function namedSection<T>(id: string, rendering: Promise<T>): Promise<T> {
  try {
    return await rendering;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "section_not_found") throw error;
    const shown = id.replace(/[\p{Cc}\p{Cf}]/gu, "").slice(0, MAX_SHOWN);
    throw new Problem("section_not_found", `Section not found: '${shown}' was not found in the theme`);
  }
}

/** Maximum UTF-16 units of an id in an error message. */
const MAX_SHOWN = 100;

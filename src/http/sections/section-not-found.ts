import { Problem } from "../../problem.ts";

/**
 * Returns the result of `renderPromise`. If the section does not exist, throws an error with the message that the spec
 * requires.
 * @see spec 7.1
 */
export async function requireSection<T>(id: string, renderPromise: Promise<T>): Promise<T> {
  try {
    return await renderPromise;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "section_not_found") throw error;
    const printableId = id.replace(/[\p{Cc}\p{Cf}]/gu, "").slice(0, MAX_ID_LENGTH);
    throw new Problem("section_not_found", `Section not found: '${printableId}' was not found in the theme`);
  }
}

/** Maximum length of an id in an error message, in UTF-16 code units. */
const MAX_ID_LENGTH = 100;

import { isEmoji } from "./emoji.ts";
import { foldText } from "./fold.ts";

/**
 * Marks a UTF-16 unit whose folding (conversion to lower case without accents) depends on its neighbors. A text with
 * such a unit must be folded as one string.
 */
export const contextualUnitMarker = 1;
/** Marks a UTF-16 unit whose folded text (lower case without accents) has several units or none, or is not known. */
export const multipleUnitsMarker = 2;

/**
 * Pattern of folded texts whose UTF-16 units can be folded one by one: Latin, Greek, Cyrillic, Hebrew, Arabic, and
 * characters that are not letters, except `×`.
 */
const contextFreePattern =
  /^[\x00-\xd6\xd8-\u02ff\u0370-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u066e\u066f\u0671-\u06d3\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2100-\u23ff\u2500-\u27bf]*$/;

/**
 * Caches the folding (conversion to lower case without accents) of single UTF-16 units. Each unit is folded on first
 * use, because folding all 65,536 units would take longer than most index builds.
 */
export class CodeUnitFolding {
  /** Folded value of each UTF-16 unit, or `contextualUnitMarker` or `multipleUnitsMarker`. */
  readonly foldedUnits = new Uint16Array(0x10000).fill(multipleUnitsMarker);
  readonly #foldedTexts = new Map<number, string>();

  /**
   * Returns the folded text of a unit that does not fold to exactly one unit. Returns undefined if it depends on the
   * unit's neighbors.
   */
  getFoldedText(unit: number): string | undefined {
    return this.#foldedTexts.get(unit) ?? this.#foldCodeUnit(unit);
  }

  #foldCodeUnit(unit: number): string | undefined {
    const character = String.fromCharCode(unit);
    const foldedText = foldText(character);
    // Most emoji consist of several units, so they cannot be recognized unit by unit.
    if (!contextFreePattern.test(foldedText) || isEmoji(character)) {
      this.foldedUnits[unit] = contextualUnitMarker;
      return undefined;
    }
    if (foldedText.length === 1 && foldedText.charCodeAt(0) > multipleUnitsMarker)
      this.foldedUnits[unit] = foldedText.charCodeAt(0);
    else this.#foldedTexts.set(unit, foldedText);
    return foldedText;
  }
}

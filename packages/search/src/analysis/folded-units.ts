import { isEmoji } from "./emoji.ts";
import { fold } from "./fold.ts";

// Entries of `UnitFolding.foldedUnits` that are not folded units. No unit is folded to these values.

/** The folding of the unit depends on its neighbors, so the text must be folded as a whole. */
export const contextDependentEntry = 1;
/** The unit folds to several units or none, or was not folded yet. */
export const multipleUnitsEntry = 2;

/**
 * Folded texts whose units do not depend on their neighbors, in scripts with spaces: Latin, Greek, Cyrillic, Hebrew,
 * Arabic, and characters that are not letters.
 */
const independentText =
  /^[\x00-\u02ff\u0370-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u066e\u066f\u0671-\u06d3\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2100-\u23ff\u2500-\u27bf]*$/;

/**
 * Cache of the folding of single UTF-16 units, filled on first use. Folding all units would take longer than most index
 * builds.
 */
export class UnitFolding {
  /** Folded unit of each unit, or `contextDependentEntry` or `multipleUnitsEntry`. */
  readonly foldedUnits = new Uint16Array(0x10000).fill(multipleUnitsEntry);
  readonly #foldedTexts = new Map<number, string>();

  /** Returns the folding of a unit with the entry `multipleUnitsEntry`, or undefined if it depends on the context. */
  foldedTextOf(unit: number): string | undefined {
    return this.#foldedTexts.get(unit) ?? this.#foldUnit(unit);
  }

  #foldUnit(unit: number): string | undefined {
    const character = String.fromCharCode(unit);
    const foldedText = fold(character);
    // Emoji are recognized in the entire text, because most of them consist of several units.
    if (!independentText.test(foldedText) || isEmoji(character)) {
      this.foldedUnits[unit] = contextDependentEntry;
      return undefined;
    }
    if (foldedText.length === 1 && foldedText.charCodeAt(0) > multipleUnitsEntry)
      this.foldedUnits[unit] = foldedText.charCodeAt(0);
    else this.#foldedTexts.set(unit, foldedText);
    return foldedText;
  }
}

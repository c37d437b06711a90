import { isEmoji } from "./emoji.ts";
import { fold } from "./fold.ts";

// Entries of `UnitFolding.folded` that are no folded unit; nothing is folded to these.

/** The unit may change beside others, or its script is cut otherwise: the text is to be folded as a whole. */
export const inContext = 1;
/** The unit becomes several units or none, or was not folded yet. */
export const several = 2;

/**
 * Folded texts whose units do not interact with their neighbors, in scripts with spaces: Latin, Greek, Cyrillic,
 * Hebrew, Arabic, and non-letters.
 */
const independent =
  /^[\x00-\u02ff\u0370-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u066e\u066f\u0671-\u06d3\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2100-\u23ff\u2500-\u27bf]*$/;

/**
 * Cache of the folding of single UTF-16 units, filled on first use: folding all of them would take longer than most
 * builds.
 */
export class UnitFolding {
  /** By unit: its folded unit in any context, or `inContext` or `several`. */
  readonly folded = new Uint16Array(0x10000).fill(several);
  readonly #severals = new Map<number, string>();

  /** Folding of a unit whose entry is `several`; undefined if it depends on its context. */
  severalOf(unit: number): string | undefined {
    return this.#severals.get(unit) ?? this.#learn(unit);
  }

  #learn(unit: number): string | undefined {
    const character = String.fromCharCode(unit);
    const folded = fold(character);
    // Emoji are recognized in the entire text, since most consist of several units.
    if (!independent.test(folded) || isEmoji(character)) {
      this.folded[unit] = inContext;
      return undefined;
    }
    if (folded.length === 1 && folded.charCodeAt(0) > several) this.folded[unit] = folded.charCodeAt(0);
    else this.#severals.set(unit, folded);
    return folded;
  }
}

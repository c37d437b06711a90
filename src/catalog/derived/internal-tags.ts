/** Whether a tag is a rule of some program, or a note of the merchant's own, rather than a shelf. Told by how it is written, never by how often.
 *  @param tag without blanks around it */
export function isInternalTag(tag: string): boolean {
  const key = tag.toLowerCase();
  return structured.test(key) || idOrDate.test(key) || notes.has(key) || rule.test(key) || refusal.test(key);
}

/** A key with a value ("color:red", "color=red"), a name of programs ("YGroup_x", "_hidden"), a mark before it ("#sync"): nobody writes a shelf so. */
const structured = /[:=_|]|^[!-/:-@[-`{-~]/;
/** "20230114": sizes and years are shorter. */
const idOrDate = /^\d{5,}$/;

const notes: ReadonlySet<string> = new Set(
  "b2b default draft dropship exclude excluded hidden hide internal nofollow noindex test wholesale".split(" "),
);

/** As programs for shipping, product options ("spo-"), waiting lists ("bis-"), feeds and prices for traders have them: a word of theirs and a value, in one word. */
const rule = /^(?:b2b|bis|excl|exclude|freight|hidden|hide|internal|ship|shipping|spo|sync|wholesale)-\S+$/;
/** "no-discount", "nosync", "do-not-return" */
const refusal =
  /^(?:(?:do-?not|dont)-\S+|no-?(?:coupon|discount|export|facebook|feed|follow|google|index|promo|refund|return|shipping|sync|tax)s?)$/;

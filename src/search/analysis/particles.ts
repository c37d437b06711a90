/** Words that end the phrase before them: what they lead on to is said beside it. */
const links: ReadonlySet<string> = new Set(
  "for with and in of by to from on at w mit und von im pour avec et de en para con y per e da di voor met van och med til".split(
    " ",
  ),
);
/** Words behind which a title says what a thing is for, not what it is: "case for iPhone". */
const purposes: ReadonlySet<string> = new Set("for fur pour para per voor til".split(" "));
export function isLink(word: string): boolean {
  return links.has(word);
}

export function isPurpose(word: string): boolean {
  return purposes.has(word);
}

/** A value as JSON that stays inert where it is put into HTML. */
export function inertJson(value: unknown): string {
  return inert(JSON.stringify(value));
}

/** @param json a JSON text  @returns the same, inert in HTML */
export function inert(json: string): string {
  return needsEscape.test(json)
    ? json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : json;
}

const needsEscape = /[<\u2028\u2029]/;

/** JSON that is a text already, inert in HTML: where it stands among values, it is taken as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

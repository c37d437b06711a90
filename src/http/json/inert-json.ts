/** A value as JSON that is safe in HTML. */
export function inertJson(value: unknown): string {
  return inert(JSON.stringify(value));
}

/** @param json JSON  @returns the same JSON, safe in HTML */
export function inert(json: string): string {
  return needsEscape.test(json)
    ? json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : json;
}

const needsEscape = /[<\u2028\u2029]/;

/** Serialized JSON, safe in HTML: as a value in other JSON it is inserted unchanged. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

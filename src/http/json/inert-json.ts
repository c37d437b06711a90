/** Serializes a value as JSON that is safe in HTML.  @param replacer as of `JSON.stringify` */
export function toSafeJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return escapeJson(JSON.stringify(value, replacer));
}

/** Escapes JSON so that it is safe in HTML.  @param json serialized JSON */
export function escapeJson(json: string): string {
  const escapedJson = json.includes("<") ? json.replaceAll("<", "\\u003c") : json;
  return lineSeparators.test(escapedJson)
    ? escapedJson.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : escapedJson;
}

const lineSeparators = /[\u2028\u2029]/;

/** JSON text that is safe in HTML. It is inserted unchanged when it is part of other JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

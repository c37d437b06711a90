/**
 * An error in a template, while parsing or rendering.
 * `message` has the format of Ruby's Liquid: "Liquid error (snippets/card line 3): divided by 0".
 */
export class LiquidError extends Error {
  /** The message without location. */
  readonly detail: string;
  readonly place: Place | undefined;

  /** @param prefix "Liquid error" or "Liquid syntax error" */
  constructor(prefix: string, detail: string, place?: Place, options?: ErrorOptions) {
    super(`${prefix}${place === undefined ? "" : ` (${placeText(place)})`}: ${detail}`, options);
    this.detail = detail;
    this.place = place;
  }
}

export interface Place {
  /** Name of the template; "" if it has none. */
  readonly name: string;
  /** Offset in the source, from 0. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** The template cannot be parsed. */
export class SyntaxFault extends LiquidError {
  /** Offset in the source; the line is added later. */
  readonly offset: number;

  constructor(detail: string, offset: number, place?: Place) {
    super("Liquid syntax error", detail, place);
    this.offset = offset;
  }
}

/** A part of a template cannot be rendered, for example because of an invalid filter argument. The rest is rendered. */
export class RenderFault extends LiquidError {
  constructor(detail: string, place?: Place, options?: ErrorOptions) {
    super("Liquid error", detail, place, options);
  }
}

/** A render exceeded a limit and stops. */
export class LimitError extends LiquidError {
  constructor(detail: string, place?: Place, options?: ErrorOptions) {
    super("Liquid error", detail, place, options);
  }
}

/** Adds a location to an error that has none. */
export function atPlace(error: unknown, place: Place): LiquidError {
  if (error instanceof LiquidError && error.place !== undefined) return error;
  if (error instanceof SyntaxFault) return new SyntaxFault(error.detail, error.offset, place);
  const detail = error instanceof LiquidError ? error.detail : error instanceof Error ? error.message : String(error);
  const options = error instanceof LiquidError ? undefined : { cause: error };
  return error instanceof LimitError ? new LimitError(detail, place, options) : new RenderFault(detail, place, options);
}

export function placeOf(source: string, offset: number, name = ""): Place {
  let line = 1;
  let begin = 0;
  for (let at = source.indexOf("\n"); at >= 0 && at < offset; at = source.indexOf("\n", at + 1)) {
    line += 1;
    begin = at + 1;
  }
  return { name, offset, line, column: offset - begin + 1 };
}

function placeText({ name, line }: Place): string {
  return name === "" ? `line ${line}` : `${name} line ${line}`;
}

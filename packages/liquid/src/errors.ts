/** What went wrong in a template: while it was read, or while a part of it was rendered.
 *  `message` is as Ruby's Liquid words it: "Liquid error (snippets/card line 3): divided by 0". */
export class LiquidError extends Error {
  /** What went wrong, without where. */
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
  /** Name of the template; empty: it has none. */
  readonly name: string;
  /** Of the source, from 0. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** The template cannot be read. */
export class SyntaxFault extends LiquidError {
  /** Where it is in the source, before that is known as a line. */
  readonly offset: number;

  constructor(detail: string, offset: number, place?: Place) {
    super("Liquid syntax error", detail, place);
    this.offset = offset;
  }
}

/** A part of a template cannot be rendered: a filter was given what it can do nothing with. The rest is shown. */
export class RenderFault extends LiquidError {
  constructor(detail: string, place?: Place, options?: ErrorOptions) {
    super("Liquid error", detail, place, options);
  }
}

/** A render went past a limit: all of it ends. */
export class LimitError extends LiquidError {
  constructor(detail: string, place?: Place, options?: ErrorOptions) {
    super("Liquid error", detail, place, options);
  }
}

/** An error with the place at which it came up; one that has a place keeps it. */
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

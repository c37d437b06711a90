/**
 * An error in a template, while parsing or rendering. `message` has the format of Ruby's Liquid: "Liquid error
 * (snippets/card line 3): divided by 0".
 */
export class LiquidError extends Error {
  /** The message without location. */
  readonly detail: string;
  readonly place: TemplateLocation | undefined;

  /** @param prefix "Liquid error" or "Liquid syntax error" */
  constructor(prefix: string, detail: string, place?: TemplateLocation, options?: ErrorOptions) {
    super(`${prefix}${place === undefined ? "" : ` (${placeText(place)})`}: ${detail}`, options);
    this.detail = detail;
    this.place = place;
  }
}

export interface TemplateLocation {
  /** Name of the template; "" if it has none. */
  readonly name: string;
  /** Offset in the source, from 0. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Source of a template, for messages. */
export interface Source {
  /** Empty for an unnamed template. */
  readonly name: string;
  readonly text: string;
}

/** The template cannot be parsed. */
export class LiquidSyntaxError extends LiquidError {
  /** Offset in the source; the line is added later. */
  readonly offset: number;

  constructor(detail: string, offset: number, place?: TemplateLocation) {
    super("Liquid syntax error", detail, place);
    this.offset = offset;
  }
}

/** A part of a template cannot be rendered, for example because of an invalid filter argument. The rest is rendered. */
export class RenderError extends LiquidError {
  constructor(detail: string, place?: TemplateLocation, options?: ErrorOptions) {
    super("Liquid error", detail, place, options);
  }
}

/** A render exceeded a limit and stops. */
export class LimitError extends LiquidError {
  constructor(detail: string, place?: TemplateLocation, options?: ErrorOptions) {
    super("Liquid error", detail, place, options);
  }
}

/** Adds a location to an error that has none. */
export function withLocation(error: unknown, place: TemplateLocation): LiquidError {
  if (error instanceof LiquidError && error.place !== undefined) return error;
  if (error instanceof LiquidSyntaxError) return new LiquidSyntaxError(error.detail, error.offset, place);
  const detail = error instanceof LiquidError ? error.detail : error instanceof Error ? error.message : String(error);
  const options = error instanceof LiquidError ? undefined : { cause: error };
  return error instanceof LimitError ? new LimitError(detail, place, options) : new RenderError(detail, place, options);
}

export function placeOf(source: string, offset: number, name = ""): TemplateLocation {
  let line = 1;
  let begin = 0;
  for (let at = source.indexOf("\n"); at >= 0 && at < offset; at = source.indexOf("\n", at + 1)) {
    line += 1;
    begin = at + 1;
  }
  return { name, offset, line, column: offset - begin + 1 };
}

function placeText({ name, line }: TemplateLocation): string {
  return name === "" ? `line ${line}` : `${name} line ${line}`;
}

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}

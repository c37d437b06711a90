/**
 * The kind of an error: "syntax" if a template cannot be parsed, "render" if a part cannot be rendered, "limit" if a
 * render exceeded a limit and stopped.
 */
export type LiquidErrorKind = "syntax" | "render" | "limit";

/**
 * An error in a template, while parsing or rendering. Tags and filters may throw any `Error`; the engine adds the
 * location. `message` has the format of Ruby's Liquid: "Liquid error (snippets/card line 3): divided by 0".
 */
export class LiquidError extends Error {
  readonly kind: LiquidErrorKind;
  /** Message without prefix and location. */
  readonly detail: string;
  /** Location in the template. Every error that the engine throws or reports has one. */
  readonly place: TemplateLocation | undefined;
  /** Offset in the source in UTF-16 units, starting at 0; 0 if unknown. */
  readonly offset: number;

  /** Creates an error.  @param sourceLocation offset or location in the template, if known */
  constructor(
    kind: LiquidErrorKind,
    detail: string,
    sourceLocation?: number | TemplateLocation,
    options?: ErrorOptions,
  ) {
    const location = typeof sourceLocation === "number" ? undefined : sourceLocation;
    const prefix = kind === "syntax" ? "Liquid syntax error" : "Liquid error";
    super(`${prefix}${location === undefined ? "" : ` (${formatLocation(location)})`}: ${detail}`, options);
    this.kind = kind;
    this.detail = detail;
    this.place = location;
    this.offset = typeof sourceLocation === "number" ? sourceLocation : (sourceLocation?.offset ?? 0);
  }

  /** Returns whether a value is a Liquid error of a kind. */
  static is(error: unknown, kind: LiquidErrorKind): error is LiquidError {
    return error instanceof LiquidError && error.kind === kind;
  }
}

export interface TemplateLocation {
  /** Name of the template; "" for a template without a name. */
  readonly name: string;
  /** Offset in the source in UTF-16 units, starting at 0. */
  readonly offset: number;
  /** Line number, starting at 1. */
  readonly line: number;
  /** Column in UTF-16 units, starting at 1. */
  readonly column: number;
}

/** Name and text of a template, for error messages. */
export interface TemplateSource {
  /** File name or other name of the template; "" for a template without a name. */
  readonly name: string;
  readonly text: string;
}

/** Converts an error to a `LiquidError` with a location. An existing location is preserved. */
export function addLocation(error: unknown, location: TemplateLocation): LiquidError {
  if (!(error instanceof LiquidError))
    return new LiquidError("render", error instanceof Error ? error.message : String(error), location, {
      cause: error,
    });
  return error.place === undefined ? new LiquidError(error.kind, error.detail, location) : error;
}

export function locationOf(source: string, offset: number, name: string): TemplateLocation {
  let line = 1;
  let start = 0;
  for (
    let newlineIndex = source.indexOf("\n");
    newlineIndex >= 0 && newlineIndex < offset;
    newlineIndex = source.indexOf("\n", newlineIndex + 1)
  ) {
    line += 1;
    start = newlineIndex + 1;
  }
  return { name, offset, line, column: offset - start + 1 };
}

function formatLocation({ name, line }: TemplateLocation): string {
  return name === "" ? `line ${line}` : `${name} line ${line}`;
}

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}

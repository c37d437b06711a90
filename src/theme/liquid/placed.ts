import { LimitError, LiquidError } from "../../liquid/errors.ts";

/** An error of Liquid as the log has it: "divided by 0, file:sections/a.liquid, line:2, col:4". Others stay as they are. */
export function placed(error: unknown): unknown {
  if (!(error instanceof LiquidError) || error.place === undefined) return error;
  const { name, line, column } = error.place;
  return new Error(`${error.detail}, file:${name}, line:${line}, col:${column}`, { cause: error });
}

/** The error of Liquid behind one that was told with its file; undefined where it is none. */
export function liquidErrorIn(error: unknown): LiquidError | undefined {
  if (error instanceof LiquidError) return error;
  return error instanceof Error && error.cause !== undefined ? liquidErrorIn(error.cause) : undefined;
}

/** The limit that a render went past; undefined where it failed otherwise. */
export function limitIn(error: unknown): LimitError | undefined {
  const found = liquidErrorIn(error);
  return found instanceof LimitError ? found : undefined;
}

import { LiquidError } from "@vitrine/liquid";

/**
 * Adds file, line and column to the message of a Liquid error: "divided by 0, file:sections/a.liquid, line:2, col:4".
 * Other values are returned unchanged.
 */
export function addLocation(error: unknown): unknown {
  if (!(error instanceof LiquidError) || error.place === undefined) return error;
  const { name, line, column } = error.place;
  return new Error(`${error.detail}, file:${name}, line:${line}, col:${column}`, { cause: error });
}

/** Returns an error whose message contains the file name. */
export function addFileName(file: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof Error && message.includes(file) ? error : new Error(`${file}: ${message}`, { cause: error });
}

/** Runs a function and returns the error that it throws, or undefined. */
export function captureError(action: () => unknown): Error | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return addLocation(error) as Error;
  }
}

/** Returns the Liquid error that is the cause of another error, or undefined. */
export function findLiquidError(error: unknown): LiquidError | undefined {
  if (error instanceof LiquidError) return error;
  return error instanceof Error && error.cause !== undefined ? findLiquidError(error.cause) : undefined;
}

/** Returns the limit error that stopped a render, or undefined if the render failed for another reason. */
export function findLimitError(error: unknown): LiquidError | undefined {
  const liquidError = findLiquidError(error);
  return LiquidError.is(liquidError, "limit") ? liquidError : undefined;
}

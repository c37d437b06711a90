import { LiquidError } from "../../liquid/errors.ts";

/** An error of Liquid as the log has it: "divided by 0, file:sections/a.liquid, line:2, col:4". Others stay as they are. */
export function placed(error: unknown): unknown {
  if (!(error instanceof LiquidError) || error.place === undefined) return error;
  const { name, line, column } = error.place;
  return new Error(`${error.detail}, file:${name}, line:${line}, col:${column}`, { cause: error });
}

import { SetupError } from "../setup-error.ts";

/** An error as it goes between threads. */
export interface LoopFault {
  readonly message: string;
  /** Of the system: "EADDRINUSE". */
  readonly code?: string;
  /** The merchant can put it right. */
  readonly isSetup: boolean;
  readonly stack?: string;
}

export function faultOf(error: unknown): LoopFault {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && "code" in error ? { code: String(error.code) } : {};
  return { message, isSetup: error instanceof SetupError, ...code, ...(stack === undefined ? {} : { stack }) };
}

/** The error again. */
export function errorOf({ message, code, isSetup, stack }: LoopFault): Error {
  if (isSetup) return new SetupError(message);
  const error = Object.assign(new Error(message), code === undefined ? {} : { code });
  if (stack !== undefined) error.stack = stack;
  return error;
}

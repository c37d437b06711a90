import { pino } from "pino";
import type { LogFields } from "./log-fields.ts";
import { createRecurring } from "./recurring.ts";

export interface Log {
  /** Whether lines of level `info` are written; if not, callers can skip creating them. */
  readonly hasInfo: boolean;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A warning that repeats while something is unavailable: written when it starts and when it ends. */
  recurring(fields: LogFields, message: string): void;
}

/** Writes JSON lines to stderr (stdout is for results).  @param level `LOG_LEVEL`, default "info" */
export function createLog(level: string): Log {
  // Several threads write to one pipe, which keeps writes up to this size intact.
  const destination = { fd: 2, sync: false, maxWrite: 4_096 };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(destination));
  const write =
    (at: "info" | "warn" | "error") =>
    ({ error, ...fields }: LogFields, message: string): void =>
      logger[at](error === undefined ? fields : { ...fields, error: describe(error) }, message);
  const warn = write("warn");
  return {
    hasInfo: logger.isLevelEnabled("info"),
    info: write("info"),
    warn,
    error: write("error"),
    recurring: createRecurring(warn),
  };
}

/**
 * Class and stack of an error, without the end of its message, which may contain client input. The file and line of a
 * theme error stay.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // Its message names the database and the solution; the stack adds nothing.
  if (error.name === "DatabaseUnavailable") return `${error.name}: ${plain(error.message).slice(0, 500)}`;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const [place = ""] = /, file:[\w./-]{1,200}, line:\d+, col:\d+$/.exec(error.message) ?? [];
  const text = error.message.slice(0, error.message.length - place.length);
  const message = plain(text).slice(0, 200);
  return `${error.name}: ${message}${place}\n${frames.slice(0, 12).join("\n")}`.slice(0, 2_000);
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}]+/gu, " ");
}

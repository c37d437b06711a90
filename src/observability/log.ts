import { pino } from "pino";
import type { LogFields } from "./log-fields.ts";
import { createRecurring } from "./recurring.ts";

export interface Log {
  /** Whether lines of `info` are written: where not, nobody need make them. */
  readonly hasInfo: boolean;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A warning of what comes again and again while something is away: written when it begins and when it is over. */
  recurring(fields: LogFields, message: string): void;
}

/** JSON lines on stderr (stdout is for results). @param level `LOG_LEVEL`, "info" unless told */
export function createLog(level: string): Log {
  // Lines of several threads go to one pipe, which takes so many bytes at once in one piece.
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

/** Class and stack of an error, without its message's tail: messages may hold what a client wrote.
 *  What a theme's error ends in is kept: its file and line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // It says which database and what to do; where it was asked says nothing.
  if (error.name === "DatabaseUnavailable") return `${error.name}: ${plain(error.message).slice(0, 500)}`;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const [place = ""] = /, file:[\w./-]{1,200}, line:\d+, col:\d+$/.exec(error.message) ?? [];
  const said = error.message.slice(0, error.message.length - place.length);
  const message = plain(said).slice(0, 200);
  return `${error.name}: ${message}${place}\n${frames.slice(0, 12).join("\n")}`.slice(0, 2_000);
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}]+/gu, " ");
}

import { pino } from "pino";

/** The fields a log line may have: nothing personal, nothing a client wrote. */
export interface LogFields {
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly code?: string;
  readonly durationMs?: number;
  readonly requestId?: string;
  readonly revision?: number;
  readonly count?: number;
  readonly error?: unknown;
}

export interface Log {
  /** Whether lines of `info` are written: where not, nobody need make them. */
  readonly hasInfo: boolean;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** JSON lines on stderr (stdout is for results). @param level `LOG_LEVEL`, "info" unless told */
export function createLog(level: string): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );
  const write =
    (at: "info" | "warn" | "error") =>
    ({ error, ...fields }: LogFields, message: string): void =>
      logger[at](error === undefined ? fields : { ...fields, error: describe(error) }, message);
  return { hasInfo: logger.isLevelEnabled("info"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Class and stack of an error, without its message's tail: messages may hold what a client wrote.
 *  What a theme's error ends in is kept: its file and line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const [place = ""] = /, file:[\w./-]{1,200}, line:\d+, col:\d+$/.exec(error.message) ?? [];
  const said = error.message.slice(0, error.message.length - place.length);
  const message = said.replace(/[\p{Cc}]+/gu, " ").slice(0, 200);
  return `${error.name}: ${message}${place}\n${frames.slice(0, 12).join("\n")}`.slice(0, 2_000);
}

import { pino } from "pino";
import { getCurrentTrace } from "../runtime/trace-context.ts";
import { formatTraceFields, type LogFields } from "./log-fields.ts";

export interface Log {
  /** Whether lines of level `info` are written. If not, callers can skip the work of creating them. */
  readonly hasInfo: boolean;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /**
   * Logs a warning that repeats while a resource is unavailable. A line is written only when the problem starts and
   * when it ends.
   */
  recurring(fields: LogFields, message: string): void;
}

/**
 * Creates a log that writes JSON lines to stderr, since stdout is for results.
 * @param level value of `LOG_LEVEL`, such as "info"
 */
export function createLog(level: string): Log {
  // Several threads write to one pipe. Writes up to this size are atomic.
  const destination = pino.destination({ fd: 2, sync: false, maxWrite: 4_096, maxLength: MAX_BUFFERED_BYTES });
  const { flushSync } = destination;
  // If the log is on a full disk, the next line retries the write. The flush at the exit would retry it forever.
  destination.on("error", () => {
    destination.flushSync = () => {};
  });
  destination.on("drain", () => {
    destination.flushSync = flushSync;
  });
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  const write =
    (level: "info" | "warn" | "error") =>
    ({ error, ...fields }: LogFields, message: string): void =>
      logger[level](
        {
          ...formatTraceFields(getCurrentTrace()),
          ...fields,
          ...(error === undefined ? {} : { error: describeError(error) }),
        },
        message,
      );
  const warn = write("warn");
  return {
    hasInfo: logger.isLevelEnabled("info"),
    info: write("info"),
    warn,
    error: write("error"),
    recurring: createWarningLog(warn),
  };
}

/** Maximum bytes of lines that wait for a write. Further lines are discarded. */
const MAX_BUFFERED_BYTES = 1_048_576;

/**
 * Formats the class and stack of an error. The message is truncated, since it may contain text from clients. The
 * location of a theme error is preserved.
 */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // These messages name the location and the solution, so the stack is omitted.
  if (["DatabaseUnavailableError", "SetupError"].includes(error.name))
    return `${error.name}: ${stripControlCharacters(error.message).slice(0, 500)}`;
  const stackFrames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const [position = ""] = /, file:[\w./-]{1,200}, line:\d+, col:\d+$/.exec(error.message) ?? [];
  const text = error.message.slice(0, error.message.length - position.length);
  const message = stripControlCharacters(text).slice(0, 200);
  return `${error.name}: ${message}${position}\n${stackFrames.slice(0, 12).join("\n")}`.slice(0, 2_000);
}

function stripControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}]+/gu, " ");
}

/** Milliseconds after which a warning counts as ended if it does not repeat. */
const QUIET_PERIOD_MS = 10_000;
/** Maximum number of distinct active warnings. Above it, errors with the same log message count as one warning. */
const MAX_WARNING_TEXTS = 100;

/**
 * Creates a logger for repeated warnings. It logs a warning when it starts, and its count and duration when it ends.
 */
export function createWarningLog(
  write: (fields: LogFields, message: string) => void,
): (fields: LogFields, message: string) => void {
  const activeWarnings = new Map<string, { count: number; readonly startedAt: number; timer: NodeJS.Timeout }>();
  return (fields, message) => {
    const cause =
      fields.error instanceof Error && activeWarnings.size < MAX_WARNING_TEXTS ? `: ${fields.error.message}` : "";
    const warningText = message + cause;
    const now = performance.now();
    const logWarningEnd = (): void => {
      const { count, startedAt } = state;
      activeWarnings.delete(warningText);
      write({ count, durationMs: Math.round(now - startedAt) }, `ended: ${warningText}`.slice(0, 500));
    };
    const existingWarning = activeWarnings.get(warningText);
    const timer = setTimeout(logWarningEnd, QUIET_PERIOD_MS).unref();
    const state = existingWarning ?? { count: 0, startedAt: now, timer };
    clearTimeout(existingWarning?.timer);
    state.timer = timer;
    state.count += 1;
    activeWarnings.set(warningText, state);
    if (existingWarning === undefined) write(fields, message);
  };
}

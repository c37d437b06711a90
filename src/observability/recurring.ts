import type { LogFields } from "./log-fields.ts";

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

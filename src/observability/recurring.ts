import type { LogFields } from "./log-fields.ts";

/** Milliseconds after which a warning counts as ended if it does not repeat. */
const QUIET_MS = 10_000;
/** Maximum number of different texts. Beyond it, warnings are distinguished only by message, without the error. */
const MAX_TEXTS = 100;

/**
 * Creates a logger for repeated warnings. It logs a warning when it starts, and its count and duration when it ends.
 */
export function createRecurring(
  write: (fields: LogFields, message: string) => void,
): (fields: LogFields, message: string) => void {
  const active = new Map<string, { count: number; readonly startedAt: number; timer: NodeJS.Timeout }>();
  return (fields, message) => {
    const cause = fields.error instanceof Error && active.size < MAX_TEXTS ? `: ${fields.error.message}` : "";
    const text = message + cause;
    const now = performance.now();
    const end = (): void => {
      const { count, startedAt } = state;
      active.delete(text);
      write({ count, durationMs: Math.round(now - startedAt) }, `over: ${text}`.slice(0, 500));
    };
    const known = active.get(text);
    const timer = setTimeout(end, QUIET_MS).unref();
    const state = known ?? { count: 0, startedAt: now, timer };
    clearTimeout(known?.timer);
    state.timer = timer;
    state.count += 1;
    active.set(text, state);
    if (known === undefined) write(fields, message);
  };
}

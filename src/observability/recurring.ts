import type { LogFields } from "./log-fields.ts";

/** A warning that does not repeat within this time has ended; milliseconds. */
const QUIET_MS = 10_000;
/** Maximum distinct texts; further ones are distinguished by message only. */
const MAX_TEXTS = 100;

/** Logs a repeated warning when it starts, and with count and duration when it ends. */
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

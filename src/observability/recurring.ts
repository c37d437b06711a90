import type { LogFields } from "./log-fields.ts";

/** What has not come again for so long is over, in milliseconds. */
const QUIET_MS = 10_000;
/** Texts told apart; more than these are told by their message alone. */
const MAX_TEXTS = 100;

/** Writes what comes again and again when it begins, and once it is over how often it came and for how long. */
export function createRecurring(
  write: (fields: LogFields, message: string) => void,
): (fields: LogFields, message: string) => void {
  const underWay = new Map<string, { count: number; readonly begunAt: number; timer: NodeJS.Timeout }>();
  return (fields, message) => {
    const cause = fields.error instanceof Error && underWay.size < MAX_TEXTS ? `: ${fields.error.message}` : "";
    const text = message + cause;
    const now = performance.now();
    const end = (): void => {
      const { count, begunAt } = state;
      underWay.delete(text);
      write({ count, durationMs: Math.round(now - begunAt) }, `over: ${text}`.slice(0, 500));
    };
    const known = underWay.get(text);
    const timer = setTimeout(end, QUIET_MS).unref();
    const state = known ?? { count: 0, begunAt: now, timer };
    clearTimeout(known?.timer);
    state.timer = timer;
    state.count += 1;
    underWay.set(text, state);
    if (known === undefined) write(fields, message);
  };
}

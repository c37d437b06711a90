/**
 * Milliseconds after which a wait fails. Waits end with the event itself: a busy machine takes many times as long as an
 * idle one.
 */
export const HANG_MS = 120_000;

/**
 * Polls until `check` returns a value other than false, null or undefined, with longer pauses between slow checks.
 * @param what the awaited event, for the error; default: the check's source
 * @returns that value
 * @throws after `HANG_MS`, with the last error of `check` as its cause
 */
export async function until<T>(
  check: () => T | Promise<T>,
  what = String(check),
): Promise<Exclude<T, false | null | undefined>> {
  let cause: unknown;
  for (const end = performance.now() + HANG_MS; ; ) {
    const start = performance.now();
    try {
      const found = await check();
      if (found !== false && found !== null && found !== undefined)
        return found as Exclude<T, false | null | undefined>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > end) throw new Error(`did not happen within ${HANG_MS / 1_000} s: ${what}`, { cause });
    await new Promise((resolve) => setTimeout(resolve, Math.max(10, 2 * (performance.now() - start))));
  }
}

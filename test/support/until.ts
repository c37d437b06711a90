/**
 * Milliseconds after which a wait fails. It is long, because a busy machine is many times slower than an idle one, and
 * waits end with the event itself.
 */
export const HANG_MS = 120_000;

/**
 * Polls until `check` returns a value other than false, null or undefined, with longer pauses between slow checks.
 * @param what description of the event for the error. Default: the source of `check`
 * @returns that value
 * @throws Error after `HANG_MS`, with the last error of `check` as its cause
 */
export async function until<T>(
  check: () => T | Promise<T>,
  what = String(check),
): Promise<Exclude<T, false | null | undefined>> {
  let cause: unknown;
  const begin = performance.now();
  for (const end = begin + HANG_MS; ; ) {
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
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(10, 2 * (performance.now() - start), (performance.now() - begin) / 8)),
    );
  }
}

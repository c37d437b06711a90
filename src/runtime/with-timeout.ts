/**
 * Returns the result of a promise, or throws the error of `createError` after a time. The work is not canceled.
 * @param timeoutMs milliseconds; the timeout expires immediately if it is negative
 */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, createError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createError()), Math.max(0, timeoutMs));
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

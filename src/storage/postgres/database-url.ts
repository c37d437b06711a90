/**
 * Returns whether a text is the URL of a PostgreSQL database. A later "@" or "#" is not accepted, because it shows that
 * a character of the password ended the host: "postgres://user:1/2@host" has the host "user" and the port 1.
 */
export function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && !/[@#]/.test(url.pathname + url.search + url.hash);
}

/** Advice for a text that is no URL of a database. It contains no part of the text, which may contain a password. */
export const passwordAdvice = 'In user and password, write "@ : / ? # %" as "%40 %3A %2F %3F %23 %25".';

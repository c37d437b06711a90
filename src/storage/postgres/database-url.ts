import { hasMisplacedHost } from "../../runtime/url-host.ts";

/** Returns whether a text is the URL of a PostgreSQL database, with an encoded password. */
export function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && !hasMisplacedHost(url);
}

/** Advice for a text that is no URL of a database. It contains no part of the text, which may contain a password. */
export const passwordAdvice = 'In user and password, write "@ : / ? # %" as "%40 %3A %2F %3F %23 %25".';

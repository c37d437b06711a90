/** Cookies of one customer at one shop. */
export interface CookieJar {
  get(name: string): string | undefined;
  /** Returns the value of the `Cookie` header, or undefined if there are no cookies. */
  getHeader(): string | undefined;
  /** Stores the cookies of a response.  @param lines values of its `Set-Cookie` headers */
  store(lines: readonly string[]): void;
  /** Returns the values of all cookies, by name. */
  getAll(): Readonly<Record<string, string>>;
}

/** Creates a cookie jar.  @param initialCookies cookie values by name. Default: empty */
export function createCookieJar(initialCookies: Readonly<Record<string, string>> = {}): CookieJar {
  const cookies = new Map(Object.entries(initialCookies));
  return {
    get: (name) => cookies.get(name),
    getHeader() {
      const cookiePairs = [...cookies].map(([name, value]) => `${name}=${value}`);
      return cookiePairs.length === 0 ? undefined : cookiePairs.join("; ");
    },
    store(lines) {
      for (const line of lines) {
        const [nameValuePair = "", ...attributes] = line.split(";");
        const equalsSignIndex = nameValuePair.indexOf("=");
        const name = nameValuePair.slice(0, equalsSignIndex).trim();
        if (equalsSignIndex < 1) continue;
        if (attributes.some((text) => /^\s*max-age=0\s*$/i.test(text))) cookies.delete(name);
        else cookies.set(name, nameValuePair.slice(equalsSignIndex + 1).trim());
      }
    },
    getAll: () => Object.fromEntries(cookies),
  };
}

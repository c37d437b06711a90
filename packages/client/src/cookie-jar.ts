/** Cookies of one customer at one shop. */
export interface CookieJar {
  get(name: string): string | undefined;
  /** Returns the header `Cookie`; undefined without cookies. */
  header(): string | undefined;
  /** @param lines headers `Set-Cookie` of a response */
  store(lines: readonly string[]): void;
  /** Returns name -> value. */
  all(): Readonly<Record<string, string>>;
}

/** @param initial name -> value */
export function createCookieJar(initial: Readonly<Record<string, string>> = {}): CookieJar {
  const cookies = new Map(Object.entries(initial));
  return {
    get: (name) => cookies.get(name),
    header() {
      const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
      return pairs.length === 0 ? undefined : pairs.join("; ");
    },
    store(lines) {
      for (const line of lines) {
        const [pair = "", ...attributes] = line.split(";");
        const at = pair.indexOf("=");
        const name = pair.slice(0, at).trim();
        if (at < 1) continue;
        if (attributes.some((text) => /^\s*max-age=0\s*$/i.test(text))) cookies.delete(name);
        else cookies.set(name, pair.slice(at + 1).trim());
      }
    },
    all: () => Object.fromEntries(cookies),
  };
}

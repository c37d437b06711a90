/** Cookies of one shopper, as a browser would keep them for one shop. */
export interface CookieJar {
  get(name: string): string | undefined;
  /** The header `Cookie`; undefined: there is none. */
  header(): string | undefined;
  /** @param lines headers `Set-Cookie` */
  take(lines: readonly string[]): void;
  /** Name -> value, as another jar takes it. */
  all(): Readonly<Record<string, string>>;
}

export function createCookieJar(kept: Readonly<Record<string, string>> = {}): CookieJar {
  const cookies = new Map(Object.entries(kept));
  return {
    get: (name) => cookies.get(name),
    header() {
      const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
      return pairs.length === 0 ? undefined : pairs.join("; ");
    },
    take(lines) {
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

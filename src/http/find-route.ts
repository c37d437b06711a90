import findMyWay from "find-my-way";
import type { Route } from "./route.ts";
import type { Target } from "./wire/request.ts";

/** Finds the route of a path; undefined where no route answers. */
export type Find = (
  target: Pick<Target, "path" | "prefix">,
) => { readonly route: Route; readonly params: Readonly<Record<string, string>> } | undefined;

export function createFinder(routes: readonly Route[]): Find {
  // Paths alone are looked up, whatever the method: the answer to a wrong one names the right ones.
  const router = findMyWay({ caseSensitive: true, maxParamLength: 1_024 });
  for (const route of routes) router.on("GET", route.path, noop, route);
  return ({ path, prefix }) => {
    const found = isDecodable(path) ? router.find("GET", path) : null;
    const route: Route | undefined = found?.store;
    if (found === null || route === undefined || (prefix !== "" && route.isUnprefixed)) return undefined;
    const params = found.params as Readonly<Record<string, string>>;
    // "/collections/" is not the collection without a name.
    return Object.values(params).includes("") ? undefined : { route, params };
  };
}

/** An endpoint, or a write to a page, with a slash too many is answered as without it: programs append one, and a write is not
 *  repeated at another address. @returns undefined for all else */
export function withoutSlash(
  target: Target,
  method: string,
  find: Find,
): { readonly target: Target; readonly found: ReturnType<Find> } | undefined {
  // Nothing appends one to "cart.js", but what wants a cache to take the answer for another.
  if (!/[^./]+\/$/.test(target.path) || /\.[a-z]+\/$/.test(target.path)) return undefined;
  const trimmed = { ...target, path: target.path.slice(0, -1) };
  const found = find(trimmed);
  // "/search/suggest/" is another spelling of an address of the spec, and unknown spellings of these are 404.
  if (found === undefined || found.route.isUnprefixed || found.route.format === "text" || find(target) !== undefined)
    return undefined;
  return found.route.format === "page" && method === "GET" ? undefined : { target: trimmed, found };
}

/** Whether percent-encoding means something. */
export function isDecodable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
}

function noop(): void {}

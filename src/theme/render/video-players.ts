/** A player of another site that a frame in the shop's HTML may show. */
export interface Player {
  readonly origin: string;
  readonly address: string;
  /** Name of the site, for a frame without a title. */
  readonly name: string;
}

/**
 * Returns the player for a shared video URL: YouTube's host without cookies, Vimeo with tracking off.
 * @returns undefined for every other URL
 */
export function playerOf(text: string): Player | undefined {
  const address = URL.parse(text.trim(), "https://none.invalid");
  if (address === null || !/^https?:$/.test(address.protocol)) return undefined;
  const host = address.hostname.replace(/^(?:www|m)\./, "");
  const [, first = "", second = ""] = address.pathname.split("/");
  if (host === "youtube.com" || host === "youtube-nocookie.com" || host === "youtu.be") {
    const isList = first === "embed" && second === "videoseries";
    const id =
      host === "youtu.be"
        ? first
        : ["embed", "v", "shorts"].includes(first)
          ? second
          : (address.searchParams.get("v") ?? "");
    if (!/^[\w-]{1,32}$/.test(id)) return undefined;
    const parameters = isList ? ["list"] : ["start", "end", "list"];
    return player("https://www.youtube-nocookie.com", `/embed/${id}`, "YouTube", chosen(address, parameters));
  }
  if (host === "vimeo.com" || host === "player.vimeo.com") {
    const id = first === "video" ? second : first;
    if (!/^\d{1,15}$/.test(id)) return undefined;
    const query = chosen(address, ["h"]);
    query.set("dnt", "1");
    return player("https://player.vimeo.com", `/video/${id}`, "Vimeo", query);
  }
  return undefined;
}

/** Parameters of a URL that select the video and its start and end. */
function chosen(address: URL, names: readonly string[]): URLSearchParams {
  const values = names.map((name) => [name, address.searchParams.get(name) ?? ""] as const);
  return new URLSearchParams(
    values.filter(([, value]) => /^[\w-]{1,50}$/.test(value)).map(([name, value]) => [name, value]),
  );
}

function player(origin: string, path: string, name: string, query: URLSearchParams): Player {
  return { origin, address: `${origin}${path}${query.size === 0 ? "" : `?${query}`}`, name };
}

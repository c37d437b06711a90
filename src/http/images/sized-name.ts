import { namedSizes } from "../../theme/filters/images/named-sizes.ts";

/**
 * Parses the image URLs that themes' scripts build: the size is in the name, "coat_300x300_crop_center@2x.jpg",
 * "coat_large.png"; or a query is appended to a URL that they expect to have one: "coat.jpg&width=100".
 * @returns the path of the image, and the size as a query; undefined if the name contains no size
 */
export function sizedName(path: string): { readonly path: string; readonly query: URLSearchParams } | undefined {
  const [, appended = "", parameters = ""] = /^(.+\.\w{1,5})&((?:width|height|crop|format)=.+)$/.exec(path) ?? [];
  if (appended !== "") return { path: appended, query: new URLSearchParams(parameters) };
  const [, base = "", size = "", crop, times = "1", ending = ""] = pattern.exec(path) ?? [];
  if (base === "") return undefined;
  const query = new URLSearchParams();
  const [width = "", height = ""] = size.includes("x")
    ? size.split("x")
    : [named.get(size), named.get(size)].map(String);
  for (const [name, text] of [
    ["width", width],
    ["height", height],
  ] as const)
    if (Number(text) > 0) query.set(name, String(Number(text) * Number(times)));
  if (crop !== undefined) query.set("crop", crop);
  return { path: `${base}${ending}`, query };
}

/** Dimensions of a square that contains the image, in pixels; 0: unchanged. */
const named: ReadonlyMap<string, number> = new Map([...namedSizes, ["original", 0], ["master", 0]]);

const pattern = new RegExp(
  `^(.+)_(\\d{1,5}x\\d{0,5}|x\\d{1,5}|${[...named.keys()].join("|")})(?:_crop_(top|center|bottom|left|right))?(?:@([23])x)?(?:\\.progressive)?(\\.\\w{1,5})$`,
);

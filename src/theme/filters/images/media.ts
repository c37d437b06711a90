import { renderAttribute, renderAttributes, SafeHtml } from "../../liquid/safe-html.ts";
import { imageOf } from "../../objects/image.ts";
import { TemplateObject } from "../../objects/template-object.ts";
import { stateOf } from "../../render-state.ts";
import { getFileUrlPrefix } from "../../view.ts";
import { type Filter, type FilterFamily, getObjectField, readFieldText, splitArguments, textOf } from "../filter.ts";
import { renderImageTag } from "./image-tag.ts";
import { addImageSize, ImageUrl, sanitizeUrl } from "./image-url.ts";
import { parseSizeName } from "./legacy-image.ts";

/** Returns a `video` element: `{{ media | video_tag: autoplay: true, loop: true, image_size: '1100x' }}`. */
const video_tag: Filter = (value, ...args) => {
  const { namedArgs } = splitArguments(args);
  const sources = readSources(value);
  if (sources.length === 0) return "";
  const attributes = new Map<string, unknown>([
    ["playsinline", true],
    ["preload", "metadata"],
    ["poster", findPosterUrl(value, namedArgs)],
    ["aria-label", textOf(getObjectField(value, "alt")) || undefined],
    ...listAttributes(namedArgs),
  ]);
  const html = sources
    .map(({ url, type }) => `<source${renderAttribute("src", url)}${renderAttribute("type", type)}>`)
    .join("");
  return new SafeHtml(`<video${renderAttributes(attributes)}>${html}</video>`, "");
};

/** Returns the URL of a video player on another site. Named arguments become its query parameters. */
const external_video_url: Filter = (value, ...args) => {
  const url = parsePlayerUrl(value);
  if (url === undefined) return "";
  for (const [name, arg] of splitArguments(args).namedArgs) url.searchParams.set(name, formatFlag(arg));
  return url.href;
};

/** Returns an `iframe` for the result of `external_video_url`, or for a video object. */
const external_video_tag: Filter = (value, ...args) => {
  const url = parsePlayerUrl(value);
  if (url === undefined) return "";
  const attributes = new Map<string, unknown>([
    ["src", url.href],
    ["title", readFieldText(value, "alt") || "Video"],
    ["allow", "accelerometer; autoplay; encrypted-media; gyroscope; picture-in-picture"],
    ["allowfullscreen", true],
    ["loading", "lazy"],
    ...listAttributes(splitArguments(args).namedArgs),
  ]);
  return new SafeHtml(`<iframe${renderAttributes(attributes)}></iframe>`, "");
};

/** Returns a `model-viewer` element. The theme has to load the script that defines this element. */
const model_viewer_tag: Filter = (value, ...args) => {
  const { namedArgs } = splitArguments(args);
  const [model] = readSources(value);
  if (model === undefined) return "";
  const attributes = new Map<string, unknown>([
    ["src", model.url],
    ["alt", readFieldText(value, "alt")],
    ["poster", findPosterUrl(value, namedArgs)],
    ["camera-controls", true],
    ...listAttributes(namedArgs),
  ]);
  return new SafeHtml(`<model-viewer${renderAttributes(attributes)}></model-viewer>`, "");
};

export const mediaFilters: FilterFamily = {
  video_tag,
  external_video_url,
  external_video_tag,
  model_viewer_tag,
  /** Returns an image, video or 3D model element, depending on the type of the media. */
  media_tag(value, ...args) {
    const filter = filtersByMediaType.get(readFieldText(value, "media_type"));
    if (filter !== undefined) return filter.call(this, value, ...args);
    const { namedArgs } = splitArguments(args);
    const image = imageOf(value);
    const size = parseSizeName(textOf(namedArgs.get("image_size")), 1);
    const attributes = new Map(listAttributes(namedArgs));
    return image === undefined
      ? ""
      : renderImageTag(this, new ImageUrl(image, size, getFileUrlPrefix(stateOf(this).view)), attributes);
  },
};

const filtersByMediaType: ReadonlyMap<string, Filter> = new Map([
  ["video", video_tag],
  ["external_video", external_video_tag],
  ["model", model_viewer_tag],
]);

/** Returns the URL of a YouTube or Vimeo player. The argument is a URL, or a video object with host and id. */
function parsePlayerUrl(value: unknown): URL | undefined {
  const host = readFieldText(value, "host") || readFieldText(value, "type");
  const id = readFieldText(value, "external_id") || readFieldText(value, "id");
  const isVideo = value instanceof TemplateObject && playerUrls.has(host) && /^[\w-]{1,32}$/.test(id);
  const url = isVideo ? URL.parse(`${playerUrls.get(host)}${id}`) : URL.parse(textOf(value));
  const isPlayerUrl = url !== null && [...playerUrls.values()].some((playerUrl) => url.href.startsWith(playerUrl));
  return isPlayerUrl ? url : undefined;
}

const playerUrls: ReadonlyMap<string, string> = new Map([
  ["youtube", "https://www.youtube.com/embed/"],
  ["vimeo", "https://player.vimeo.com/video/"],
]);

function readSources(value: unknown): { readonly url: string; readonly type: string | undefined }[] {
  const sources = getObjectField(value, "sources");
  return (Array.isArray(sources) ? sources : []).slice(0, 20).flatMap((source: unknown) => {
    const readField = (name: string): string =>
      source instanceof TemplateObject
        ? readFieldText(source, name)
        : textOf(Object.hasOwn(Object(source), name) ? Reflect.get(Object(source), name) : undefined);
    return readField("url") === ""
      ? []
      : [{ url: sanitizeUrl(readField("url")), type: readField("mime_type") || undefined }];
  });
}

function findPosterUrl(value: unknown, namedArgs: ReadonlyMap<string, unknown>): string | undefined {
  const image = imageOf(getObjectField(value, "preview_image"));
  return image === undefined
    ? undefined
    : addImageSize(image.src, parseSizeName(textOf(namedArgs.get("image_size")), 1));
}

/** Returns the arguments that are HTML attributes. */
function listAttributes(namedArgs: ReadonlyMap<string, unknown>): readonly (readonly [string, unknown])[] {
  return [...namedArgs].filter(([name]) => name !== "image_size");
}

function formatFlag(value: unknown): string {
  return typeof value === "boolean" ? String(Number(value)) : textOf(value);
}

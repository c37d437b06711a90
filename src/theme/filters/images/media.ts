import { attribute, SafeHtml } from "../../liquid/safe-html.ts";
import { imageOf } from "../../objects/image.ts";
import { TemplateObject } from "../../objects/template-object.ts";
import { stateOf } from "../../render-state.ts";
import { fileUrlPrefix } from "../../view.ts";
import { type Filter, type FilterFamily, fieldText, objectField, splitArguments, textOf } from "../filter.ts";
import { imageTag } from "./image-tag.ts";
import { ImageAddress, safeAddress, sizedAddress } from "./image-url.ts";
import { wordSize } from "./legacy-image.ts";

/** Returns a `video` element: `{{ media | video_tag: autoplay: true, loop: true, image_size: '1100x' }}`. */
const video_tag: Filter = (value, ...args) => {
  const { named } = splitArguments(args);
  const sources = sourcesOf(value);
  if (sources.length === 0) return "";
  const attributes = new Map<string, unknown>([
    ["playsinline", true],
    ["preload", "metadata"],
    ["poster", posterOf(value, named)],
    ["aria-label", textOf(objectField(value, "alt")) || undefined],
    ...named,
  ]);
  const html = sources.map(({ url, type }) => `<source${attribute("src", url)}${attribute("type", type)}>`).join("");
  return new SafeHtml(`<video${written(attributes)}>${html}</video>`, "");
};

/** Returns the URL of an external player. Named arguments become its query. */
const external_video_url: Filter = (value, ...args) => {
  const address = playerAddress(value);
  if (address === undefined) return "";
  for (const [name, one] of splitArguments(args).named) address.searchParams.set(name, flagOr(one));
  return address.href;
};

/** Returns an `iframe` for the result of `external_video_url`, or for the video itself. */
const external_video_tag: Filter = (value, ...args) => {
  const address = playerAddress(value);
  if (address === undefined) return "";
  const attributes = new Map<string, unknown>([
    ["src", address.href],
    ["title", fieldText(value, "alt") || "Video"],
    ["allow", "accelerometer; autoplay; encrypted-media; gyroscope; picture-in-picture"],
    ["allowfullscreen", true],
    ["loading", "lazy"],
    ...splitArguments(args).named,
  ]);
  return new SafeHtml(`<iframe${written(attributes)}></iframe>`, "");
};

/** Returns a `model-viewer` element. The theme loads the script of this component. */
const model_viewer_tag: Filter = (value, ...args) => {
  const { named } = splitArguments(args);
  const [model] = sourcesOf(value);
  if (model === undefined) return "";
  const attributes = new Map<string, unknown>([
    ["src", model.url],
    ["alt", fieldText(value, "alt")],
    ["poster", posterOf(value, named)],
    ["camera-controls", true],
    ...named,
  ]);
  return new SafeHtml(`<model-viewer${written(attributes)}></model-viewer>`, "");
};

export const mediaFilters: FilterFamily = {
  video_tag,
  external_video_url,
  external_video_tag,
  model_viewer_tag,
  /** Returns the element for the media type. */
  media_tag(value, ...args) {
    const filter = byKind.get(fieldText(value, "media_type"));
    if (filter !== undefined) return filter.call(this, value, ...args);
    const { named } = splitArguments(args);
    const image = imageOf(value);
    const size = wordSize(textOf(named.get("image_size")), 1);
    const attributes = new Map([...named].filter(([name]) => name !== "image_size"));
    return image === undefined
      ? ""
      : imageTag(this, new ImageAddress(image, size, fileUrlPrefix(stateOf(this).view)), attributes);
  },
};

const byKind: ReadonlyMap<string, Filter> = new Map([
  ["video", video_tag],
  ["external_video", external_video_tag],
  ["model", model_viewer_tag],
]);

/** Returns the URL of a YouTube or Vimeo player, from a URL or from a video with host and id. */
function playerAddress(value: unknown): URL | undefined {
  const host = fieldText(value, "host") || fieldText(value, "type");
  const id = fieldText(value, "external_id") || fieldText(value, "id");
  const isVideo = value instanceof TemplateObject && players.has(host) && /^[\w-]{1,32}$/.test(id);
  const address = isVideo ? URL.parse(`${players.get(host)}${id}`) : URL.parse(textOf(value));
  const isPlayer = address !== null && [...players.values()].some((player) => address.href.startsWith(player));
  return isPlayer ? address : undefined;
}

const players: ReadonlyMap<string, string> = new Map([
  ["youtube", "https://www.youtube.com/embed/"],
  ["vimeo", "https://player.vimeo.com/video/"],
]);

function sourcesOf(value: unknown): { readonly url: string; readonly type: string | undefined }[] {
  const sources = objectField(value, "sources");
  return (Array.isArray(sources) ? sources : []).slice(0, 20).flatMap((source: unknown) => {
    const field = (name: string): string =>
      source instanceof TemplateObject
        ? fieldText(source, name)
        : textOf(Object.hasOwn(Object(source), name) ? Reflect.get(Object(source), name) : undefined);
    return field("url") === "" ? [] : [{ url: safeAddress(field("url")), type: field("mime_type") || undefined }];
  });
}

function posterOf(value: unknown, named: ReadonlyMap<string, unknown>): string | undefined {
  const image = imageOf(objectField(value, "preview_image"));
  return image === undefined ? undefined : sizedAddress(image.src, wordSize(textOf(named.get("image_size")), 1));
}

/** Formats attributes. The value `true` prints only the name, and nil and false omit the attribute. */
function written(attributes: ReadonlyMap<string, unknown>): string {
  return [...attributes]
    .filter(([name]) => /^[\w-]+$/.test(name) && !/^on/i.test(name) && name !== "image_size")
    .map(([name, one]) =>
      attribute(name, typeof one === "boolean" || one === undefined || one === null ? one : textOf(one)),
    )
    .join("");
}

function flagOr(value: unknown): string {
  return typeof value === "boolean" ? String(Number(value)) : textOf(value);
}

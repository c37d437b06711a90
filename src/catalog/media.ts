/** A video or 3D model of a product. Width and height are in pixels. */
export interface ProductMedia {
  /** URL of a file, or of a video on YouTube or Vimeo. */
  readonly src: string;
  readonly alt?: string;
  /** URL of the image that is shown before the video plays or the model loads. */
  readonly poster?: string;
  readonly width?: number;
  readonly height?: number;
}

export type MediaKind =
  | { readonly type: "video" | "model"; readonly format: string; readonly mimeType: string }
  | { readonly type: "external_video"; readonly host: "youtube" | "vimeo"; readonly externalId: string };

/** Returns the kind of a video or 3D model by its URL, or undefined for any other URL. */
export function classifyMedia(src: string): MediaKind | undefined {
  for (const [host, pattern] of playerPatterns) {
    const externalId = pattern.exec(src)?.[1];
    if (externalId !== undefined) return { type: "external_video", host, externalId };
  }
  const format = /^(?:\/|https?:\/\/)[^?#]*\.(\w+)(?:[?#]|$)/i.exec(src)?.[1]?.toLowerCase() ?? "";
  const mimeType = mimeTypes.get(format);
  if (mimeType === undefined) return undefined;
  return { type: mimeType.startsWith("video/") ? "video" : "model", format, mimeType };
}

const playerPatterns = [
  [
    "youtube",
    /^https:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/)|(?:www\.)?youtu\.be\/)([\w-]{6,20})/,
  ],
  ["vimeo", /^https:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{1,20})/],
] as const;

const mimeTypes: ReadonlyMap<string, string> = new Map([
  ["mp4", "video/mp4"],
  ["webm", "video/webm"],
  ["mov", "video/quicktime"],
  ["glb", "model/gltf-binary"],
  ["gltf", "model/gltf+json"],
  ["usdz", "model/vnd.usdz+zip"],
]);

import { hash } from "node:crypto";
import { decodeEntities, findClosingTag } from "../../catalog/html-text.ts";
import { escapeHtml } from "../../runtime/escape-html.ts";
import { renderAttribute } from "../liquid/safe-html.ts";
import { sanitizeStyle } from "./content-styles.ts";

/** HTML in which classes replace inline styles, and only allowed frames remain. */
export interface CleanedHtml {
  readonly html: string;
  /** CSS rules of the classes; "" if the HTML has no inline styles. */
  readonly css: string;
  /** Origins of embedded frames, for example "https://player.vimeo.com". */
  readonly frames: readonly string[];
}

/** Maximum number of style rules per page. */
const maxRules = 300;

/**
 * Rewrites HTML from the shop's texts for a security policy that forbids inline styles and frames. A `style` attribute
 * becomes a class. A video frame becomes the video site's player without tracking. Any other frame becomes a link. Runs
 * in linear time for any input.
 */
export function rewriteHtml(html: string): CleanedHtml {
  if (!styleOrFramePattern.test(html)) return { html, css: "", frames: [] };
  const rules = new Map<string, string>();
  const frameOrigins = new Set<string>();
  let output = "";
  let tagStart = 0;
  /** Offset up to which the input was copied to the output. */
  let copiedLength = 0;
  const styles = /\sstyle\s*=/gi;
  let styleStart = -1;
  for (;;) {
    tagStart = html.indexOf("<", tagStart);
    if (tagStart < 0) break;
    const end = findMarkupEnd(html, tagStart);
    if (end < 0) break;
    if (styleStart < tagStart) {
      styles.lastIndex = tagStart;
      styleStart = styles.exec(html)?.index ?? html.length;
    }
    const hasStyle = styleStart < end;
    const elementName =
      hasStyle || specialFirstLetters.has(html.charCodeAt(tagStart + 1) | LOWER_CASE_BIT)
        ? readElementName(html, tagStart + 1)
        : "";
    let endOffset = end;
    if (elementName === "iframe" || (hasStyle && elementName !== "")) {
      const tag = html.slice(tagStart, end);
      const attributes = parseAttributes(tag.slice(elementName.length + 1, tag.endsWith("/>") ? -2 : -1));
      let replacement: string;
      if (elementName === "iframe") {
        const closingTagStart = findClosingTag(html, elementName, end);
        endOffset = closingTagStart === undefined ? end : html.indexOf(">", closingTagStart) + 1 || html.length;
        const player = findVideoPlayer(readAttributeText(attributes, "src"));
        if (player !== undefined) frameOrigins.add(player.origin);
        replacement = replaceIframe(attributes, player, rules);
      } else if (attributes.some(([name]) => name === "style"))
        replacement = replaceStyle(tag, elementName, attributes, rules);
      else replacement = tag;
      output += html.slice(copiedLength, tagStart) + replacement;
      copiedLength = endOffset;
    }
    // Elements such as `script` contain text only, so their content is skipped.
    tagStart = rawTextElements.has(elementName)
      ? (findClosingTag(html, elementName, endOffset) ?? html.length)
      : endOffset;
  }
  return {
    html: output + html.slice(copiedLength),
    css: [...(frameOrigins.size > 0 ? [frameCssRule] : []), ...rules.values()].join(""),
    frames: [...frameOrigins],
  };
}

/**
 * Adds a style element at the end of a page's head.
 * @returns hash: value ("'sha256-…'") that allows the style element in a content security policy, or undefined if the
 * page has no head
 */
export function addStyles(html: string, css: string): { readonly html: string; readonly hash?: string } {
  if (css === "") return { html };
  const element = `<style>${css}</style>`;
  const headEndOffset = html.search(/<\/head\s*>/i);
  const insertionIndex = headEndOffset < 0 ? 0 : headEndOffset;
  return {
    html: html.slice(0, insertionIndex) + element + html.slice(insertionIndex),
    hash: `'sha256-${hash("sha256", css, "base64")}'`,
  };
}

const styleOrFramePattern = /\sstyle\s*=|<iframe/i;
const rawTextElements: ReadonlySet<string> = new Set([
  "script",
  "style",
  "textarea",
  "title",
  "xmp",
  "noscript",
  "template",
]);
const frameCssRule =
  ".v-video{display:block;width:100%;height:auto;aspect-ratio:16/9;border:0;background:rgb(128 128 128/.15)}";

/**
 * Returns the end of the tag or comment that starts at `<`. Returns -1 if it is never closed. If no tag starts there,
 * returns the next offset.
 */
function findMarkupEnd(html: string, start: number): number {
  const characterCode = html.charCodeAt(start + 1);
  if (characterCode === EXCLAMATION && html.startsWith("<!--", start)) {
    const index = html.indexOf("-->", start + 4);
    return index < 0 ? -1 : index + 3;
  }
  const isLetter = (characterCode | LOWER_CASE_BIT) >= A && (characterCode | LOWER_CASE_BIT) <= Z;
  if (!isLetter && characterCode !== SLASH && characterCode !== EXCLAMATION && characterCode !== QUESTION_MARK)
    return start + 1;
  for (let index = start + 1; index < html.length; index += 1) {
    const code = html.charCodeAt(index);
    if (code === GREATER_THAN) return index + 1;
    if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) continue;
    index = html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", index + 1);
    if (index < 0) return -1;
  }
  return -1;
}

const [EXCLAMATION, SLASH, QUESTION_MARK, GREATER_THAN, DOUBLE_QUOTE, SINGLE_QUOTE, A, Z] = [
  0x21, 0x2f, 0x3f, 0x3e, 0x22, 0x27, 0x61, 0x7a,
];
/** Bit that is set in the code of lower-case ASCII letters and clear in the code of upper-case letters. */
const LOWER_CASE_BIT = 0x20;
/** First letters of elements that need more than a rewritten `style` attribute, such as `iframe` and `script`. */
const specialFirstLetters: ReadonlySet<number> = new Set(Array.from("istxn", (letter) => letter.charCodeAt(0)));

/** Returns the element name that starts at an offset, or "" for a closing tag. */
function readElementName(html: string, offset: number): string {
  const pattern = /[a-z][a-z0-9]*/iy;
  pattern.lastIndex = offset;
  return pattern.exec(html)?.[0].toLowerCase() ?? "";
}

type Attributes = readonly (readonly [name: string, value: string | undefined])[];

function parseAttributes(text: string): Attributes {
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
  return [...text.matchAll(pattern)].map(([, name = "", doubleQuotedValue, singleQuotedValue, unquotedValue]) => {
    const value = doubleQuotedValue ?? singleQuotedValue ?? unquotedValue;
    return [name.toLowerCase(), value === undefined ? undefined : decodeEntities(value)];
  });
}

function readAttributeText(attributes: Attributes, attributeName: string): string {
  return attributes.find(([name]) => name === attributeName)?.[1] ?? "";
}

/** Replaces the `style` attribute of a tag by a class.  @param rules receives the CSS rule, by class name */
function replaceStyle(tag: string, name: string, attributes: Attributes, rules: Map<string, string>): string {
  const className = rules.size < maxRules ? addStyleClass(readAttributeText(attributes, "style"), rules) : undefined;
  const classes = [readAttributeText(attributes, "class"), className]
    .filter((name) => name !== undefined && name !== "")
    .join(" ");
  const otherAttributes = attributes.filter(
    ([attributeName]) => attributeName !== "style" && attributeName !== "class",
  );
  const formattedAttributes = otherAttributes.map(([attributeName, value]) =>
    value === undefined ? ` ${attributeName}` : ` ${attributeName}="${escapeHtml(value)}"`,
  );
  return `<${name}${renderAttribute("class", classes || undefined)}${formattedAttributes.join("")}${tag.endsWith("/>") ? " /" : ""}>`;
}

function addStyleClass(style: string, rules: Map<string, string>): string | undefined {
  const { commonDeclarations, lightSchemeDeclarations } = sanitizeStyle(style);
  if (commonDeclarations.length + lightSchemeDeclarations.length === 0) return undefined;
  const text = [commonDeclarations.join(";"), lightSchemeDeclarations.join(";")].join("|");
  const name = `v-${hash("sha256", text, "hex").slice(0, 10)}`;
  if (!rules.has(name)) {
    const lightCss =
      lightSchemeDeclarations.length === 0
        ? ""
        : `@media (prefers-color-scheme:light){.${name}{${lightSchemeDeclarations.join(";")}}}`;
    rules.set(name, `${commonDeclarations.length === 0 ? "" : `.${name}{${commonDeclarations.join(";")}}`}${lightCss}`);
  }
  return name;
}

/** Attributes of a frame that stay unchanged. */
const unchangedAttributes: ReadonlySet<string> = new Set(["title", "loading", "allow", "id"]);

/** Returns the replacement of a frame: a video player of the same size, or a link to the frame's URL. */
function replaceIframe(attributes: Attributes, player: EmbeddedPlayer | undefined, rules: Map<string, string>): string {
  const title = readAttributeText(attributes, "title");
  if (player === undefined) {
    const url = URL.parse(readAttributeText(attributes, "src"), "https://none.invalid");
    if (url === null || url.protocol !== "https:" || url.hostname === "none.invalid") return "";
    const link = `<a${renderAttribute("href", url.href)} rel="nofollow noopener">${escapeHtml(title || url.hostname)}</a>`;
    return `<p>${link}</p>`;
  }
  const [width = 0, height = 0] = ["width", "height"].map((name) =>
    Number(/^[1-9]\d{1,3}$/.exec(readAttributeText(attributes, name))?.[0] ?? 0),
  );
  const size = width > 0 && height > 0 && rules.size < maxRules ? `v-${width}x${height}` : "";
  if (size !== "") rules.set(size, `.${size}{max-width:${width}px;aspect-ratio:${width}/${height}}`);
  const copiedAttributes = new Map<string, string | boolean | undefined>(
    attributes.filter(([name]) => unchangedAttributes.has(name)).map(([name, value]) => [name, value ?? true]),
  );
  const frameAttributes = new Map<string, string | boolean | undefined>([
    ["src", player.url],
    ["title", player.name],
    ["loading", "lazy"],
    ["referrerpolicy", "strict-origin-when-cross-origin"],
    ["allow", "encrypted-media; picture-in-picture; fullscreen"],
    ...copiedAttributes,
    ["class", ["v-video", size, readAttributeText(attributes, "class")].filter((name) => name !== "").join(" ")],
  ]);
  return `<iframe${[...frameAttributes].map(([name, value]) => renderAttribute(name, value)).join("")}></iframe>`;
}

/** A video player of another site that may be shown in a frame. */
export interface EmbeddedPlayer {
  readonly origin: string;
  readonly url: string;
  /** Name of the site. It is the title of a frame that has no title. */
  readonly name: string;
}

/**
 * Returns the player for a shared video URL: YouTube on its host without cookies, or Vimeo without tracking.
 * @returns undefined for every other URL
 */
export function findVideoPlayer(text: string): EmbeddedPlayer | undefined {
  const url = URL.parse(text.trim(), "https://none.invalid");
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const host = url.hostname.replace(/^(?:www|m)\./, "");
  const [, firstSegment = "", secondSegment = ""] = url.pathname.split("/");
  if (host === "youtube.com" || host === "youtube-nocookie.com" || host === "youtu.be") {
    const isPlaylist = firstSegment === "embed" && secondSegment === "videoseries";
    const id =
      host === "youtu.be"
        ? firstSegment
        : ["embed", "v", "shorts"].includes(firstSegment)
          ? secondSegment
          : (url.searchParams.get("v") ?? "");
    if (!/^[\w-]{1,32}$/.test(id)) return undefined;
    const parameters = isPlaylist ? ["list"] : ["start", "end", "list"];
    return createVideoPlayer(
      "https://www.youtube-nocookie.com",
      `/embed/${id}`,
      "YouTube",
      pickParameters(url, parameters),
    );
  }
  if (host === "vimeo.com" || host === "player.vimeo.com") {
    const id = firstSegment === "video" ? secondSegment : firstSegment;
    if (!/^\d{1,15}$/.test(id)) return undefined;
    const query = pickParameters(url, ["h"]);
    query.set("dnt", "1");
    return createVideoPlayer("https://player.vimeo.com", `/video/${id}`, "Vimeo", query);
  }
  return undefined;
}

/** Returns the URL parameters that select the video, its start and its end. */
function pickParameters(url: URL, names: readonly string[]): URLSearchParams {
  const values = names.map((name) => [name, url.searchParams.get(name) ?? ""] as const);
  return new URLSearchParams(
    values.filter(([, value]) => /^[\w-]{1,50}$/.test(value)).map(([name, value]) => [name, value]),
  );
}

function createVideoPlayer(origin: string, path: string, name: string, query: URLSearchParams): EmbeddedPlayer {
  return { origin, url: `${origin}${path}${query.size === 0 ? "" : `?${query}`}`, name };
}

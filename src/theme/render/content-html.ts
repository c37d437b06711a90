import { hash } from "node:crypto";
import { decodeEntities } from "../../catalog/html-text.ts";
import { attribute, escapeHtml } from "../liquid/safe-html.ts";
import { allowedStyle } from "./content-styles.ts";

/** HTML with classes in place of inline styles and with allowed frames only. */
export interface ConformedHtml {
  readonly html: string;
  /** Content of a style element, or "" if none is needed. */
  readonly css: string;
  /** Origins of the remaining frames: "https://player.vimeo.com". */
  readonly frames: readonly string[];
}

/** Maximum style rules of one page. */
const maxRules = 300;

/**
 * Preserves the look of the shop's HTML under a security policy without inline styles and frames. A `style` attribute
 * becomes a class. A video frame becomes the site's player without tracking. Any other frame becomes a link. Runs in
 * linear time for any input.
 */
export function conformHtml(html: string): ConformedHtml {
  if (!mayNeed.test(html)) return { html, css: "", frames: [] };
  const rules = new Map<string, string>();
  const frames = new Set<string>();
  let made = "";
  let at = 0;
  /** Offset up to which the input was copied. */
  let copied = 0;
  const styles = /\sstyle\s*=/gi;
  let nextStyle = -1;
  for (;;) {
    at = html.indexOf("<", at);
    if (at < 0) break;
    const end = endOfMarkup(html, at);
    if (end < 0) break;
    if (nextStyle < at) {
      styles.lastIndex = at;
      nextStyle = styles.exec(html)?.index ?? html.length;
    }
    const hasStyle = nextStyle < end;
    const kind = hasStyle || maySpecial.has(html.charCodeAt(at + 1) | LOWER) ? nameAt(html, at + 1) : "";
    let after = end;
    if (kind === "iframe" || (hasStyle && kind !== "")) {
      const tag = html.slice(at, end);
      const attributes = attributesOf(tag.slice(kind.length + 1, tag.endsWith("/>") ? -2 : -1));
      let other: string;
      if (kind === "iframe") {
        const closing = closingOf(html, kind, end);
        after = closing === undefined ? end : html.indexOf(">", closing) + 1 || html.length;
        const player = playerOf(textIn(attributes, "src"));
        if (player !== undefined) frames.add(player.origin);
        other = shownFrame(attributes, player, rules);
      } else if (attributes.some(([name]) => name === "style")) other = restyled(tag, kind, attributes, rules);
      else other = tag;
      made += html.slice(copied, at) + other;
      copied = after;
    }
    // The content of these elements contains no elements.
    at = rawTexts.has(kind) ? (closingOf(html, kind, after) ?? html.length) : after;
  }
  return {
    html: made + html.slice(copied),
    css: [...(frames.size > 0 ? [frameRule] : []), ...rules.values()].join(""),
    frames: [...frames],
  };
}

/**
 * Adds a style element at the end of a page's head.
 * @returns hash: policy source of the style element ("'sha256-…'"), or undefined if the page has no head
 */
export function withStyles(html: string, css: string): { readonly html: string; readonly hash?: string } {
  if (css === "") return { html };
  const element = `<style>${css}</style>`;
  const head = html.search(/<\/head\s*>/i);
  const at = head < 0 ? 0 : head;
  return {
    html: html.slice(0, at) + element + html.slice(at),
    hash: `'sha256-${hash("sha256", css, "base64")}'`,
  };
}

const mayNeed = /\sstyle\s*=|<iframe/i;
const rawTexts: ReadonlySet<string> = new Set(["script", "style", "textarea", "title", "xmp", "noscript", "template"]);
const frameRule =
  ".v-video{display:block;width:100%;height:auto;aspect-ratio:16/9;border:0;background:rgb(128 128 128/.15)}";

/**
 * Returns the end of the tag or comment that starts at `<`, `open` + 1 if none starts there, or -1 if the tag is never
 * closed.
 */
function endOfMarkup(html: string, open: number): number {
  const sign = html.charCodeAt(open + 1);
  if (sign === BANG && html.startsWith("<!--", open)) return behind("-->", html, open + 4);
  const isLetter = (sign | LOWER) >= A && (sign | LOWER) <= Z;
  if (!isLetter && sign !== SLASH && sign !== BANG && sign !== QUESTION) return open + 1;
  for (let at = open + 1; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (code === GREATER) return at + 1;
    if (code !== DOUBLE && code !== SINGLE) continue;
    at = html.indexOf(code === DOUBLE ? '"' : "'", at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

const [BANG, SLASH, QUESTION, GREATER, DOUBLE, SINGLE, A, Z] = [0x21, 0x2f, 0x3f, 0x3e, 0x22, 0x27, 0x61, 0x7a];
/** Bit that converts the code of an ASCII letter to lower case. */
const LOWER = 0x20;
/** Lower-case first letters of the elements in which more than the style is rewritten. */
const maySpecial: ReadonlySet<number> = new Set(Array.from("istxn", (letter) => letter.charCodeAt(0)));

/** Returns the element name that starts at an offset, or "" for a closing tag. */
function nameAt(html: string, at: number): string {
  const pattern = /[a-z][a-z0-9]*/iy;
  pattern.lastIndex = at;
  return pattern.exec(html)?.[0].toLowerCase() ?? "";
}

function behind(end: string, html: string, from: number): number {
  const at = html.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/** Returns the start of an element's closing tag, or undefined. */
function closingOf(html: string, name: string, from: number): number | undefined {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index;
}

type Attributes = readonly (readonly [name: string, value: string | undefined])[];

function attributesOf(text: string): Attributes {
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
  return [...text.matchAll(pattern)].map(([, name = "", double, single, bare]) => {
    const value = double ?? single ?? bare;
    return [name.toLowerCase(), value === undefined ? undefined : decodeEntities(value)];
  });
}

function textIn(attributes: Attributes, wanted: string): string {
  return attributes.find(([name]) => name === wanted)?.[1] ?? "";
}

/** Replaces the style of a tag by a class.  @param rules receives the style's rule, by class name */
function restyled(tag: string, name: string, attributes: Attributes, rules: Map<string, string>): string {
  const className = rules.size < maxRules ? classOf(textIn(attributes, "style"), rules) : undefined;
  const classes = [textIn(attributes, "class"), className].filter((one) => one !== undefined && one !== "").join(" ");
  const otherAttributes = attributes.filter(([one]) => one !== "style" && one !== "class");
  const written = otherAttributes.map(([one, value]) =>
    value === undefined ? ` ${one}` : ` ${one}="${escapeHtml(value)}"`,
  );
  return `<${name}${attribute("class", classes || undefined)}${written.join("")}${tag.endsWith("/>") ? " /" : ""}>`;
}

function classOf(style: string, rules: Map<string, string>): string | undefined {
  const { always, onLight } = allowedStyle(style);
  if (always.length + onLight.length === 0) return undefined;
  const text = [always.join(";"), onLight.join(";")].join("|");
  const name = `v-${hash("sha256", text, "hex").slice(0, 10)}`;
  if (!rules.has(name)) {
    const light = onLight.length === 0 ? "" : `@media (prefers-color-scheme:light){.${name}{${onLight.join(";")}}}`;
    rules.set(name, `${always.length === 0 ? "" : `.${name}{${always.join(";")}}`}${light}`);
  }
  return name;
}

/** Attributes of a frame that stay unchanged. */
const unchangedAttributes: ReadonlySet<string> = new Set(["title", "loading", "allow", "id"]);

/** Returns the replacement of a frame: the player in the same size, or a link to the frame's source. */
function shownFrame(attributes: Attributes, player: Player | undefined, rules: Map<string, string>): string {
  const title = textIn(attributes, "title");
  if (player === undefined) {
    const address = URL.parse(textIn(attributes, "src"), "https://none.invalid");
    if (address === null || address.protocol !== "https:" || address.hostname === "none.invalid") return "";
    const link = `<a${attribute("href", address.href)} rel="nofollow noopener">${escapeHtml(title || address.hostname)}</a>`;
    return `<p>${link}</p>`;
  }
  const [width = 0, height = 0] = ["width", "height"].map((name) =>
    Number(/^[1-9]\d{1,3}$/.exec(textIn(attributes, name))?.[0] ?? 0),
  );
  const size = width > 0 && height > 0 && rules.size < maxRules ? `v-${width}x${height}` : "";
  if (size !== "") rules.set(size, `.${size}{max-width:${width}px;aspect-ratio:${width}/${height}}`);
  const chosen = new Map<string, string | boolean | undefined>(
    attributes.filter(([name]) => unchangedAttributes.has(name)).map(([name, value]) => [name, value ?? true]),
  );
  const written = new Map<string, string | boolean | undefined>([
    ["src", player.address],
    ["title", player.name],
    ["loading", "lazy"],
    ["referrerpolicy", "strict-origin-when-cross-origin"],
    ["allow", "encrypted-media; picture-in-picture; fullscreen"],
    ...chosen,
    ["class", ["v-video", size, textIn(attributes, "class")].filter((one) => one !== "").join(" ")],
  ]);
  return `<iframe${[...written].map(([name, value]) => attribute(name, value)).join("")}></iframe>`;
}

/** A player of another site that a frame in the shop's HTML may show. */
export interface Player {
  readonly origin: string;
  readonly address: string;
  /** Name of the site, as the title of a frame without a title. */
  readonly name: string;
}

/**
 * Returns the player of a shared video URL: YouTube's host without cookies, or Vimeo with tracking off.
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

/** Returns the URL parameters that select the video and its start and end. */
function chosen(address: URL, names: readonly string[]): URLSearchParams {
  const values = names.map((name) => [name, address.searchParams.get(name) ?? ""] as const);
  return new URLSearchParams(
    values.filter(([, value]) => /^[\w-]{1,50}$/.test(value)).map(([name, value]) => [name, value]),
  );
}

function player(origin: string, path: string, name: string, query: URLSearchParams): Player {
  return { origin, address: `${origin}${path}${query.size === 0 ? "" : `?${query}`}`, name };
}

import { hash } from "node:crypto";
import { decodeEntities } from "../../catalog/html-entities.ts";
import { attribute, escapeHtml } from "../liquid/safe-html.ts";
import { keptStyle } from "./content-styles.ts";
import { type Player, playerOf } from "./video-players.ts";

/** HTML whose inline styles are classes and whose frames are those that may be shown, and what its page needs for them. */
export interface ConformedHtml {
  readonly html: string;
  /** Of a style element; "" where none is needed. */
  readonly css: string;
  /** Origins of the frames that are left: "https://player.vimeo.com". */
  readonly frames: readonly string[];
}

/** Rules that one page takes. */
const maxRules = 300;

/** Makes the shop's own texts show as they were written where the security policy allows neither inline styles nor frames: a `style` becomes a class, of
 *  a name that is the same wherever the style is; a frame with a video becomes the player's that keeps no profile; any other frame a link.
 *  Takes time in proportion to the length, whatever is written there. */
export function conformHtml(html: string): ConformedHtml {
  if (!mayNeed.test(html)) return { html, css: "", frames: [] };
  const rules = new Map<string, string>();
  const frames = new Set<string>();
  let made = "";
  let at = 0;
  /** What is behind this was not taken over yet. */
  let taken = 0;
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
      made += html.slice(taken, at) + other;
      taken = after;
    }
    // Nothing in these is an element.
    at = rawTexts.has(kind) ? (closingOf(html, kind, after) ?? html.length) : after;
  }
  return {
    html: made + html.slice(taken),
    css: [...(frames.size > 0 ? [frameRule] : []), ...rules.values()].join(""),
    frames: [...frames],
  };
}

/** A page with its style element, at the end of its head. @returns what a policy has to allow as well: "'sha256-…'"; absent where it has none */
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

/** Behind the tag or comment that opens at `<`; the sign itself where it opens none; -1: it is never closed. */
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
/** Makes the code of a letter that of its small form. */
const LOWER = 0x20;
/** Small first letters of elements that are more than their style. */
const maySpecial: ReadonlySet<number> = new Set(Array.from("istxn", (letter) => letter.charCodeAt(0)));

/** The name of an element that begins there; "" for a closing tag. */
function nameAt(html: string, at: number): string {
  const pattern = /[a-z][a-z0-9]*/iy;
  pattern.lastIndex = at;
  return pattern.exec(html)?.[0].toLowerCase() ?? "";
}

function behind(end: string, html: string, from: number): number {
  const at = html.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/** Where the closing tag of an element begins; undefined where there is none. */
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

/** @param rules takes the rule of the style, by the name of its class */
function restyled(tag: string, name: string, attributes: Attributes, rules: Map<string, string>): string {
  const className = rules.size < maxRules ? classOf(textIn(attributes, "style"), rules) : undefined;
  const classes = [textIn(attributes, "class"), className].filter((one) => one !== undefined && one !== "").join(" ");
  const others = attributes.filter(([one]) => one !== "style" && one !== "class");
  const written = others.map(([one, value]) => (value === undefined ? ` ${one}` : ` ${one}="${escapeHtml(value)}"`));
  return `<${name}${attribute("class", classes || undefined)}${written.join("")}${tag.endsWith("/>") ? " /" : ""}>`;
}

function classOf(style: string, rules: Map<string, string>): string | undefined {
  const { always, onLight } = keptStyle(style);
  if (always.length + onLight.length === 0) return undefined;
  const text = [always.join(";"), onLight.join(";")].join("|");
  const name = `v-${hash("sha256", text, "hex").slice(0, 10)}`;
  if (!rules.has(name)) {
    const light = onLight.length === 0 ? "" : `@media (prefers-color-scheme:light){.${name}{${onLight.join(";")}}}`;
    rules.set(name, `${always.length === 0 ? "" : `.${name}{${always.join(";")}}`}${light}`);
  }
  return name;
}

/** Attributes of a frame that stay as they were written. */
const kept: ReadonlySet<string> = new Set(["title", "loading", "allow", "id"]);

/** What stands in for a frame: the player, in the size that was meant for it, or a link to what is not shown. */
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
    attributes.filter(([name]) => kept.has(name)).map(([name, value]) => [name, value ?? true]),
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

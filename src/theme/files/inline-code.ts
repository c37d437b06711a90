import type { ThemeFolder } from "./theme-folder.ts";

/** Inline code in a theme's pages that a content security policy has to allow. */
export interface InlineCode {
  /** Whether pages have inline scripts, or handlers such as `onclick="…"`. */
  readonly scripts: boolean;
  /** Whether pages have style elements or attributes such as `style="…"`. */
  readonly styles: boolean;
}

const script = /<script(?![^>]{0,2000}\ssrc\s*=)(?![^>]{0,2000}type\s*=\s*["']?application\/(?:ld\+)?json)[\s>]/i;
const handler = /\son[a-z]{3,20}\s*=\s*["']/i;
const style = /<style[\s>]|\sstyle\s*=\s*["'{]|\{%-?\s*style\s*-?%\}/i;

/** Scans a theme's Liquid files without rendering them. Uncertain results are true. */
export function inlineCode(folder: ThemeFolder): InlineCode {
  let scripts = false;
  let styles = false;
  for (const [file, text] of folder.texts) {
    if (file.endsWith(".json")) styles ||= text.includes('"custom_css"');
    if (!file.endsWith(".liquid") || file.startsWith("assets/")) continue;
    scripts ||= script.test(text) || handler.test(text);
    styles ||= style.test(text);
  }
  return { scripts, styles };
}

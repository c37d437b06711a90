import type { ThemeFolder } from "./theme-folder.ts";

/** Inline code in a theme's pages that a content security policy has to allow. */
export interface InlineCode {
  /** Whether pages have inline scripts, or handlers such as `onclick="…"`. */
  readonly hasScripts: boolean;
  /** Whether pages have style elements or attributes such as `style="…"`. */
  readonly hasStyles: boolean;
}

const scriptPattern =
  /<script(?![^>]{0,2000}\ssrc\s*=)(?![^>]{0,2000}type\s*=\s*["']?application\/(?:ld\+)?json)[\s>]/i;
const handlerPattern = /\son[a-z]{3,20}\s*=\s*["']/i;
const stylePattern = /<style[\s>]|\sstyle\s*=\s*["'{]|\{%-?\s*style\s*-?%\}/i;

/** Searches a theme's Liquid files for inline code without rendering them. In doubt, the result is true. */
export function detectInlineCode(folder: ThemeFolder): InlineCode {
  let hasScripts = false;
  let hasStyles = false;
  for (const [file, text] of folder.texts) {
    if (file.endsWith(".json")) hasStyles ||= text.includes('"custom_css"');
    if (!file.endsWith(".liquid") || file.startsWith("assets/")) continue;
    hasScripts ||= scriptPattern.test(text) || handlerPattern.test(text);
    hasStyles ||= stylePattern.test(text);
  }
  return { hasScripts, hasStyles };
}

import { Drop, toText } from "@vitrine/liquid";
import { decodeEntities } from "../../catalog/html-text.ts";
import { escapeHtml } from "../../runtime/escape-html.ts";

/** HTML that is already escaped. `{{ x }}` and `{{ x | escape }}` print the same. */
export class SafeHtml extends Drop {
  readonly html: string;
  /** The text before escaping, for URLs. */
  readonly text: string;

  constructor(html: string, text: string) {
    super();
    this.html = html;
    this.text = text;
  }

  override toValue(): unknown {
    return this.html;
  }

  override toText(): string {
    return this.html;
  }

  /** Whether the HTML has elements, such as those that `link_to` adds, and is thus not just escaped text. */
  get hasElements(): boolean {
    return this.html.includes("<");
  }

  /** The value for `json` and for counting characters: HTML with elements, or the text before escaping. */
  get content(): string {
    return this.hasElements ? this.html : this.text;
  }

  field(key: string | number): unknown {
    return key === "size" ? this.content.length : undefined;
  }
}

/** An `img` element. The filter `escape` does not change it, because themes such as Horizon escape such elements. */
export class ImageElement extends SafeHtml {}

/** The result of `escape`. `json` and `size` read its HTML, because scripts insert it into pages. */
export class EscapedText extends SafeHtml {
  override get content(): string {
    return this.html;
  }
}

/** Escapes text that a template prints. */
export function createEscapedText(text: string): SafeHtml {
  return new SafeHtml(escapeHtml(text), text);
}

/** Escapes text that a template prints, except its character references, such as `&amp;` and `&larr;`. */
export function escapeTextOnce(text: string): SafeHtml {
  const html = text.replace(/[<>"']|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi, escapeHtml);
  return new SafeHtml(html, decodeEntities(text));
}

/**
 * Returns text of a shopper or of an imported file for a field that many themes print without escaping it. Escapes the
 * text if it could add elements or attributes. Other text stays a string, so that every filter reads it as it is. Takes
 * linear time for any text.
 */
export function escapeIfUnsafe(text: string): SafeHtml | string {
  const apostropheIndex = text.indexOf("'");
  const mayAddAttribute = apostropheIndex !== -1 && text.lastIndexOf("=") > apostropheIndex;
  return mayAddAttribute || /[<>"]/.test(text) ? createEscapedText(text) : text;
}

/**
 * Returns the HTML attributes that a template passes to a filter. Nil and false omit an attribute. Invalid names and
 * event handlers such as `onclick` are omitted too.
 */
export function renderAttributes(attributes: Iterable<readonly [name: string, value: unknown]>): string {
  return [...attributes]
    .filter(([name]) => /^[\w-]+$/.test(name) && !/^on/i.test(name))
    .map(([name, value]) =>
      renderAttribute(
        name,
        typeof value === "boolean" || value === undefined || value === null ? value : toText(value),
      ),
    )
    .join("");
}

/** Returns an HTML attribute ` name="value"`, or "" if the value is undefined, null or false. */
export function renderAttribute(name: string, value: string | number | boolean | undefined | null): string {
  if (value === undefined || value === null || value === false) return "";
  return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
}

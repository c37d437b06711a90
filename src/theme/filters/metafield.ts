import { escapeHtml } from "../../runtime/escape-html.ts";
import { createEscapedText, renderAttribute, SafeHtml } from "../liquid/safe-html.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { type FilterFamily, getObjectField, readFieldText, splitArguments, textOf } from "./filter.ts";
import { sanitizeLinkUrl } from "./link.ts";

export const metafieldFilters: FilterFamily = {
  /** Returns the HTML of a metafield. Depending on its type, this is a list, a link, paragraphs, or a `span`. */
  metafield_tag(value, ...args) {
    const { namedArgs } = splitArguments(args);
    const fieldValue = getObjectField(value, "value") ?? value;
    if (fieldValue === undefined || fieldValue === null) return "";
    const type = readFieldText(value, "type");
    const classAttribute = renderAttribute("class", `metafield-${type === "" ? "single_line_text_field" : type}`);
    if (Array.isArray(fieldValue)) {
      const elementName = textOf(namedArgs.get("list_format")) === "ordered" ? "ol" : "ul";
      const items = fieldValue.map((item) => `<li>${escapeHtml(textOf(item))}</li>`).join("");
      return new SafeHtml(`<${elementName}${classAttribute}>${items}</${elementName}>`, textOf(fieldValue));
    }
    const text = textOf(value instanceof TemplateObject ? value : fieldValue);
    if (type === "url")
      return new SafeHtml(
        `<a${renderAttribute("href", sanitizeLinkUrl(text))}${classAttribute}>${escapeHtml(text)}</a>`,
        text,
      );
    if (type === "multi_line_text_field")
      return new SafeHtml(`<span${classAttribute}>${escapeHtml(text).replaceAll("\n", "<br>\n")}</span>`, text);
    return new SafeHtml(`<span${classAttribute}>${escapeHtml(text)}</span>`, text);
  },
  /** Returns the metafield as plain text. */
  metafield_text(value) {
    const fieldValue = getObjectField(value, "value") ?? value;
    const text = Array.isArray(fieldValue) ? fieldValue.map(textOf).join(", ") : textOf(value);
    return createEscapedText(text);
  },
};

import { removeControlCharacters } from "../../runtime/control-characters.ts";
import { escapeHtml } from "../../runtime/escape-html.ts";

/** HTML that is safe to send, because all inserted values are escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Value that can be inserted into HTML. Undefined and false insert nothing. */
export type MarkupValue = Markup | string | number | false | undefined | readonly MarkupValue[];

/**
 * Template tag that returns HTML. It escapes inserted values, except {@link Markup}. Attribute values need double
 * quotes.
 */
export function markup(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(parts.map((part, index) => (index === 0 ? "" : textOf(values[index - 1])) + part).join(""));
}

function textOf(value: MarkupValue): string {
  if (value instanceof Markup) return value.text;
  if (value === undefined || value === false) return "";
  if (typeof value === "object") return value.map(textOf).join("");
  return escapeHtml(removeControlCharacters(String(value).toWellFormed()));
}

/** Renders the options of a select box, of which one may be selected. */
export function renderOptions(
  options: readonly (readonly [value: string, name: string])[],
  selectedValue?: string,
): readonly Markup[] {
  return options.map(
    ([value, name]) => markup`<option value="${value}"${value === selectedValue && markup` selected`}>${name}</option>`,
  );
}

/** Renders a select box with its label. */
export function renderSelect(name: string, label: string, options: readonly Markup[]): Markup {
  return markup`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select></div>`;
}

/** Renders names with values. Facts without a value are left out. */
export function renderFacts(facts: readonly (readonly [name: string, value: MarkupValue])[]): Markup {
  const items = facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [markup`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  );
  return markup`<dl class="facts">${items}</dl>`;
}

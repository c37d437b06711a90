import type { Config } from "../../../config/settings.ts";
import type { SavedSettings } from "../../../config/settings-editor.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { truncateText } from "../../../runtime/truncate-text.ts";
import { limitFieldText } from "../console-page.ts";
import { type ConsoleTexts, markEnglish } from "../console-texts.ts";
import { type Markup, type MarkupValue, markup, renderOptions } from "../markup.ts";

export type SettingsForm = Readonly<Record<string, unknown>>;

export interface SettingsFormState {
  readonly texts: ConsoleTexts;
  readonly saved: SavedSettings;
  /** The settings in use, with defaults. */
  readonly config: Config;
  /** Fields of a rejected form. */
  readonly submitted?: SettingsForm | undefined;
  /** Messages by the path of the setting. */
  readonly errors: ReadonlyMap<string, string>;
}

/** A changed setting. Null removes it. */
export type ChangedSetting = readonly [path: string, value: unknown];

/** A field of a form, for one setting or for several that belong together. */
export interface SettingField {
  /** Path of the setting, such as "contact.email". Errors of settings below it are shown at the field, too. */
  readonly path: string;
  /** Label of a single input. */
  readonly label?: ConsoleMessageKey | Markup;
  render(state: SettingsFormState): Markup;
  /**
   * Returns the settings that differ from the saved ones.
   * @param language language of the user, which has a decimal mark
   * @throws Problem `validation_failed`
   */
  read(form: SettingsForm, saved: SavedSettings, config: Config, language: string): readonly ChangedSetting[];
}

/** Returns the value of a setting at a path such as "contact.email". */
export function getSetting(settings: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((group, key) => Object(group)[key], settings);
}

/** Returns whether code in the settings file computes a setting, so that a form cannot change it. */
export function isComputed({ computed }: SavedSettings, path: string): boolean {
  return computed.some(
    (name) => name === "" || path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}[`),
  );
}

/** Attributes and messages of an input, about its state. */
export interface InputState {
  readonly id: string;
  readonly attributes: Markup;
  /** The error and the hint below the input. */
  readonly notes: MarkupValue;
}

/** Returns the id of the input of a setting. */
export function getFieldId(path: string): string {
  return path.replaceAll(/[.[\]]+/g, "-");
}

/** Returns the state of the input of a setting.  @param hint text below the input */
export function getInputState(state: SettingsFormState, path: string, hint?: MarkupValue): InputState {
  const { texts, saved, errors } = state;
  const id = getFieldId(path);
  const error = [...errors].find(
    ([name]) => name === path || name.startsWith(`${path}.`) || name.startsWith(`${path}[`),
  )?.[1];
  const isFixed = isComputed(saved, path);
  const notes: MarkupValue[] = [
    ...(error === undefined ? [] : [markup`<strong>${texts.translate(error) ?? markEnglish(error)}</strong>`]),
    ...(isFixed ? [texts.render("settings.computed", { file: markup`<code>vitrine.config.ts</code>` })] : []),
    ...(hint === undefined ? [] : [hint]),
  ];
  return {
    id,
    attributes: markup`${error !== undefined && markup` aria-invalid="true"`}${isFixed && markup` disabled`}${notes.length > 0 && markup` aria-describedby="${id}-notes"`}`,
    notes:
      notes.length > 0 &&
      markup`<div class="muted" id="${id}-notes">${notes.map((note) => markup`<div>${note}</div>`)}</div>`,
  };
}

interface TextOptions {
  /** Default: "text". */
  readonly type?: "text" | "email" | "tel" | "url" | "integer";
  readonly autocomplete?: string;
  readonly hint?: ConsoleMessageKey;
}

/**
 * Creates a field for a text or an integer. An empty field removes the setting. A saved text keeps its line breaks and
 * its length.
 */
export function createTextField(
  path: string,
  label: ConsoleMessageKey | Markup,
  { type = "text", autocomplete = "off", hint }: TextOptions = {},
): SettingField {
  const getSavedText = (saved: SavedSettings): string => String(getSetting(saved.settings, path) ?? "");
  return {
    path,
    label,
    render(state) {
      const { texts, saved, config, submitted } = state;
      const { id, attributes, notes } = getInputState(state, path, hint && texts.get(hint));
      const isSubmitted = submitted !== undefined && !isComputed(saved, path);
      const savedText = getSavedText(saved);
      const value = isSubmitted ? normalizeText(submitted[path], savedText) : savedText;
      const limits = markup` maxlength="${getMaxLength(savedText)}" autocomplete="${autocomplete}"`;
      const format = type === "integer" ? markup` inputmode="numeric"` : markup` type="${type}"`;
      const defaultValue = getSetting(saved.settings, path) === undefined ? (getSetting(config, path) ?? "") : "";
      const control = hasLineBreak(savedText)
        ? markup`<textarea id="${id}" name="${path}" rows="4"${limits}${attributes}>${value}</textarea>`
        : markup`<input id="${id}" name="${path}" value="${value}" placeholder="${String(defaultValue)}"${limits}${format}${attributes}>`;
      return markup`<div><label for="${id}">${typeof label === "string" ? texts.get(label) : label}</label>${control}${notes}</div>`;
    },
    read(form, saved) {
      if (typeof form[path] !== "string" || isComputed(saved, path)) return [];
      const savedText = getSavedText(saved);
      const text = normalizeText(form[path], savedText);
      if (text === normalizeText(savedText, savedText)) return [];
      if (text === "") return [[path, null]];
      return [[path, type === "integer" && /^\d{1,15}$/.test(text) ? Number(text) : text]];
    },
  };
}

const MAX_LENGTH = 1_000;

function getMaxLength(savedText: string): number {
  return Math.max(MAX_LENGTH, savedText.length);
}

function hasLineBreak(text: string): boolean {
  return /[\r\n]/.test(text);
}

/** Returns the text of a field without control characters, and with line breaks if the saved text has some. */
function normalizeText(value: unknown, savedText: string): string {
  const maxLength = getMaxLength(savedText);
  if (typeof value !== "string" || !hasLineBreak(savedText)) return limitFieldText(value, maxLength);
  const lines = truncateText(value.replaceAll(/\r\n?/g, "\n"), maxLength).split("\n");
  return lines
    .map((line) => limitFieldText(line, maxLength))
    .join("\n")
    .trim();
}

/** Creates a check box for a setting that is true or false. */
export function createFlagField(path: string, label: ConsoleMessageKey): SettingField {
  return {
    path,
    label,
    render(state) {
      const { texts, config, submitted } = state;
      const { id, attributes, notes } = getInputState(state, path);
      const isChecked = submitted === undefined ? getSetting(config, path) === true : submitted[path] !== undefined;
      return markup`<div><label><input type="checkbox" id="${id}" name="${path}" value="1"${isChecked && markup` checked`}${attributes}> ${texts.get(label)}</label>${notes}</div>`;
    },
    read(form, saved, config) {
      const isChecked = form[path] !== undefined;
      return isComputed(saved, path) || isChecked === getSetting(config, path) ? [] : [[path, isChecked]];
    },
  };
}

/** Creates a field that offers values.  @param listOptions returns the values with their names; "" removes the setting */
export function createSelectField(
  path: string,
  label: ConsoleMessageKey,
  listOptions: (texts: ConsoleTexts) => readonly (readonly [value: string, name: string])[],
  parse: (value: string) => unknown = (value) => value,
): SettingField {
  return {
    path,
    label,
    render(state) {
      const { texts, saved, submitted } = state;
      const { id, attributes, notes } = getInputState(state, path);
      const value = String((submitted === undefined ? getSetting(saved.settings, path) : submitted[path]) ?? "");
      return markup`<div><label for="${id}">${texts.get(label)}</label><select id="${id}" name="${path}"${attributes}>${renderOptions(listOptions(texts), value)}</select>${notes}</div>`;
    },
    read(form, saved) {
      const value = form[path];
      if (typeof value !== "string" || isComputed(saved, path)) return [];
      if (value === String(getSetting(saved.settings, path) ?? "")) return [];
      return [[path, value === "" ? null : parse(value)]];
    },
  };
}

/** Creates a JSON merge patch from changed settings. */
export function createPatch(changes: readonly ChangedSetting[]): Readonly<Record<string, unknown>> {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of changes) {
    const keys = path.split(".");
    const lastKey = keys.pop() ?? "";
    let group = patch;
    for (const key of keys) {
      const child = (group[key] ?? {}) as Record<string, unknown>;
      group[key] = child;
      group = child;
    }
    group[lastKey] = value;
  }
  return patch;
}

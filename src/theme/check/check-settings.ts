import { entriesOf, getMember, getTextValue, itemsOf, type JsonNode } from "../files/json-tree.ts";
import { hasLanguageKeys } from "../files/schema.ts";
import type { Reporter } from "./check-context.ts";
import { suggestName } from "./nearest.ts";

/** Checks the settings in a schema. */
export function checkSettings(list: JsonNode | undefined, report: Reporter): void {
  if (list !== undefined && list.type !== "array") report("error", list.offset, "settings: expected a list");
  checkEachSetting(itemsOf(list), report);
}

/** Checks each setting.  @param settings all settings of one schema, whose ids must be unique */
export function checkEachSetting(settings: readonly JsonNode[], report: Reporter): void {
  const ids = new Set<string>();
  for (const setting of settings) {
    if (setting.type !== "object") {
      report("error", setting.offset, "a setting: expected an object");
      continue;
    }
    const type = getTextValue(getMember(setting, "type"));
    if (type === undefined) {
      report("error", setting.offset, 'a setting without a "type"');
      continue;
    }
    if (!settingTypes.has(type) && !headingTypes.has(type)) {
      const offset = getMember(setting, "type")?.offset ?? setting.offset;
      report(
        "error",
        offset,
        `unknown type of setting "${type}"${suggestName(type, [...settingTypes.keys(), ...headingTypes])}`,
      );
      continue;
    }
    if (headingTypes.has(type)) continue;
    const id = getTextValue(getMember(setting, "id"));
    if (id === undefined || id === "") report("error", setting.offset, `a setting of type "${type}" without an "id"`);
    else if (ids.has(id))
      report("error", getMember(setting, "id")?.offset ?? setting.offset, `the id "${id}" is used twice`);
    else ids.add(id);
    checkSetting(setting, type, id ?? "", report);
  }
}

function checkSetting(setting: JsonNode, type: string, id: string, report: Reporter): void {
  const defaultNode = getMember(setting, "default");
  if (type === "range") {
    checkRange(setting, id, report);
    return;
  }
  const defaultValue: unknown = defaultNode?.value;
  if (type === "select" || type === "radio") {
    const options = itemsOf(getMember(setting, "options")).map((option) => getTextValue(getMember(option, "value")));
    if (options.length === 0) report("error", setting.offset, `"${id}" has no "options"`);
    else if (defaultNode !== undefined && !options.includes(String(defaultValue)))
      report(
        "error",
        defaultNode.offset,
        `the default of "${id}" is none of its options${suggestName(
          String(defaultValue),
          options.filter((option) => option !== undefined),
        )}`,
      );
    return;
  }
  const expectedType = settingTypes.get(type);
  if (defaultNode === undefined || expectedType === undefined || expectedType === "") return;
  const isLocalized = defaultNode.type === "object" && hasLanguageKeys(entriesOf(defaultNode).map(({ key }) => key));
  if (typeof defaultValue !== expectedType && !(expectedType === "string" && isLocalized))
    report(
      "error",
      defaultNode.offset,
      `the default of "${id}": expected a ${expectedType === "string" ? "text" : expectedType}, as the type "${type}" has it`,
    );
}

function checkRange(setting: JsonNode, id: string, report: Reporter): void {
  const [min, max, step = 1, defaultNode] = ["min", "max", "step", "default"].map((key) =>
    getNumberValue(getMember(setting, key)),
  );
  if (min === undefined || max === undefined) {
    report("error", setting.offset, `the range "${id}" needs the numbers "min" and "max"`);
    return;
  }
  if (defaultNode === undefined) {
    report("error", setting.offset, `the range "${id}" needs a number as "default"`);
    return;
  }
  const offset = getMember(setting, "default")?.offset ?? setting.offset;
  if (defaultNode < min || defaultNode > max) {
    report("error", offset, `the default of "${id}" is not between ${min} and ${max}`);
    return;
  }
  const steps = (defaultNode - min) / step;
  if (Math.abs(steps - Math.round(steps)) > 1e-6)
    report("warning", offset, `the default of "${id}" is no step of ${step} from ${min}`);
}

function getNumberValue(node: JsonNode | undefined): number | undefined {
  return node?.type === "number" ? Number(node.value) : undefined;
}

/** JavaScript type of the default value, by setting type. An empty string means that several types are allowed. */
const settingTypes: ReadonlyMap<string, string> = new Map([
  ...["checkbox"].map((type) => [type, "boolean"] as const),
  ...["number"].map((type) => [type, "number"] as const),
  ...[
    ..."text textarea html richtext inline_richtext liquid url color color_background text_alignment".split(" "),
    ..."font_picker video_url link_list color_scheme".split(" "),
  ].map((type) => [type, "string"] as const),
  ...[
    ..."select radio range article article_list blog collection collection_list image image_picker metaobject metaobject_list page".split(
      " ",
    ),
    ..."product product_list video color_scheme_group color_palette style.size_panel style.layout_panel".split(" "),
    ..."style.spacing_panel".split(" "),
  ].map((type) => [type, ""] as const),
]);

/** Setting types that are headings in the theme editor and have no value. */
const headingTypes = new Set(["header", "paragraph"]);

/** Allowed values by setting id. Undefined means that any value is allowed. */
export type KnownSettings = ReadonlyMap<string, readonly string[] | undefined>;

/** Returns the settings in a schema's list. */
export function readKnownSettings(list: JsonNode | undefined): KnownSettings {
  const settingValues = new Map<string, readonly string[] | undefined>();
  for (const setting of itemsOf(list)) {
    const id = getTextValue(getMember(setting, "id"));
    const values = itemsOf(getMember(setting, "options")).flatMap(
      (option) => getTextValue(getMember(option, "value")) ?? [],
    );
    if (id !== undefined) settingValues.set(id, values.length > 0 ? values : undefined);
  }
  return settingValues;
}

/** Reports values for settings that the schema does not define, and values that a setting does not allow. */
export function checkValues(
  values: JsonNode | undefined,
  knownSettings: KnownSettings,
  owner: string,
  report: Reporter,
): void {
  for (const { key, offset, value } of entriesOf(values)) {
    const options = knownSettings.get(key);
    if (!knownSettings.has(key))
      report("warning", offset, `${owner} has no setting "${key}"${suggestName(key, knownSettings.keys())}`);
    else if (
      options !== undefined &&
      value.value !== "" &&
      value.value !== null &&
      !options.includes(String(value.value))
    )
      report(
        "warning",
        value.offset,
        `"${key}" takes ${options.map((option) => `"${option}"`).join(", ")}, not "${value.value}"${suggestName(String(value.value), options)}`,
      );
  }
}

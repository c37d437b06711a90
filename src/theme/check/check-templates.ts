import { getSnippetFile } from "../files/compiled-theme.ts";
import type { CheckContext } from "./check-context.ts";
import type { Severity } from "./finding.ts";
import { findSharedNames, type IncludeCall, type VariableNames } from "./included-names.ts";
import { globalVariables, type KnownNames } from "./known-names.ts";
import { readStatements } from "./liquid/read-statements.ts";
import type { LiquidStatement } from "./liquid/statements.ts";
import { isSameValue, joinValues, parseType, unknownValue, type Value } from "./liquid/value.ts";
import { type LiquidListener, type SnippetUsage, walkStatements } from "./liquid/walk.ts";
import { suggestName } from "./nearest.ts";
import { listFileVariables } from "./settings-values.ts";

/** A reference from one Liquid file to a file that it includes, such as a snippet. */
export interface SnippetInclusion {
  readonly includingFile: string;
  readonly includedFile: string;
  readonly offset: number;
}

/**
 * Analyzes every Liquid file of the theme, together with the arguments that other files pass to it.
 * @returns which file includes which other files
 */
export function checkTemplates(context: CheckContext, names: KnownNames): SnippetInclusion[] {
  const templates = new Map<string, Template>();
  for (const file of context.theme.folder.texts.keys())
    if (file.endsWith(".liquid")) templates.set(file, new Template(context, file));
  for (const [file, names] of findSharedNames(templates))
    for (const name of names) templates.get(file)?.sharedNames.add(name);
  propagateArguments(templates);
  const inclusions: SnippetInclusion[] = [];
  const form = createFormValue(context);
  for (const template of templates.values())
    template.walk(
      createReporter({ checkContext: context, names, form, template }, ({ tag, name, offset, values }) => {
        const block = tag === "content_for" && name === "block" ? values.get("type")?.text : undefined;
        const target = block === undefined ? getIncludedFile(tag, name) : `blocks/${block}.liquid`;
        if (target === undefined) return;
        names.checkFile(target, template.file, offset);
        inclusions.push({ includingFile: template.file, includedFile: target, offset });
      }),
    );
  return inclusions;
}

class Template implements VariableNames {
  readonly file: string;
  readonly statements: readonly LiquidStatement[];
  readonly assignedNames = new Set<string>();
  readonly scopedNames = new Set<string>();
  readonly inclusionTags: IncludeCall[] = [];
  /** Variables that may be assigned by another file, because `include` shares variables. */
  readonly sharedNames = new Set<string>();
  readonly #fileVariables: readonly (readonly [string, Value])[];
  /** Known arguments that other files pass to this file. Undefined if no file is known to include it. */
  passedArguments: Map<string, Value> | undefined;

  constructor(context: CheckContext, file: string) {
    this.file = file;
    this.statements = readStatements(context.theme.source(file).liquid);
    this.#fileVariables = listFileVariables(context.theme, file);
    this.#collectNames(this.statements);
  }

  walk(listener: LiquidListener): void {
    const passedArguments = [...(this.passedArguments ?? [])].filter(([name]) => !this.sharedNames.has(name));
    walkStatements(this.statements, new Map([...this.#fileVariables, ...passedArguments]), listener);
  }

  /** Returns whether this file assigns the variable, or a file that shares variables with it does. */
  isAssigned(name: string): boolean {
    return this.assignedNames.has(name) || this.scopedNames.has(name) || this.sharedNames.has(name);
  }

  /** Merges the arguments of another include or render tag.  @returns whether the known arguments changed */
  addArguments(values: ReadonlyMap<string, Value>): boolean {
    const previousArguments = this.passedArguments;
    if (previousArguments === undefined) {
      this.passedArguments = new Map(values);
      return true;
    }
    let hasChanged = false;
    for (const name of new Set([...previousArguments.keys(), ...values.keys()])) {
      const oldValue = previousArguments.get(name) ?? globalVariables.get(name);
      const mergedValue = joinValues(
        oldValue ?? unknownValue,
        values.get(name) ?? globalVariables.get(name) ?? oldValue,
      );
      if (isSameValue(previousArguments.get(name), mergedValue)) continue;
      previousArguments.set(name, mergedValue);
      hasChanged = true;
    }
    return hasChanged;
  }

  #collectNames(statements: readonly LiquidStatement[]): void {
    for (const statement of statements) {
      if (statement.kind === "call" && statement.tag === "include") {
        const passedArguments = statement.values.map(({ name }) => name || (statement.name ?? ""));
        this.inclusionTags.push({ target: getIncludedFile("include", statement.name), passedArguments });
      }
      if (statement.kind === "assign" || statement.kind === "capture") this.assignedNames.add(statement.name);
      if (statement.kind === "loop") this.scopedNames.add(statement.variable);
      if ("body" in statement) this.#collectNames(statement.body);
      if ("elseBody" in statement) this.#collectNames(statement.elseBody);
      if (statement.kind === "branch") for (const branch of statement.branches) this.#collectNames(branch.body);
    }
  }
}

/** Passes the known arguments of include and render tags on to the snippets, until nothing changes. */
function propagateArguments(templates: ReadonlyMap<string, Template>): void {
  const pendingTemplates = new Set(templates.values());
  // Each change makes a known value less specific, so the loop ends. The limit only guards against programming errors.
  for (let remainingSteps = templates.size * 20; pendingTemplates.size > 0 && remainingSteps > 0; remainingSteps -= 1) {
    const [template] = pendingTemplates;
    if (template === undefined) return;
    pendingTemplates.delete(template);
    template.walk({
      ...emptyListener,
      variable: (name) => (template.sharedNames.has(name) ? undefined : globalVariables.get(name)),
      call: ({ tag, name, values }) => {
        const target = templates.get(getIncludedFile(tag, name) ?? "");
        if (target === undefined) return;
        if ((tag === "render" || tag === "include") && target.addArguments(values)) pendingTemplates.add(target);
      },
    });
  }
}

/**
 * Returns the type of the `form` object. It has a field for every form field in the theme: `contact[size]` is
 * `form.size`.
 */
function createFormValue(context: CheckContext): Value {
  const names = [...context.theme.folder.texts].flatMap(([file, text]) =>
    file.endsWith(".liquid")
      ? [...text.matchAll(/\bname\s*=\s*["']\w+\[([\w -]+)\]/g)].map(([, name = ""]) => name)
      : [],
  );
  return { ...parseType("form"), fields: new Map(names.map((name) => [name, unknownValue])) };
}

interface ReporterContext {
  readonly checkContext: CheckContext;
  readonly names: KnownNames;
  readonly form: Value;
  readonly template: Template;
}

function createReporter(
  { checkContext: context, names, form, template }: ReporterContext,
  call: (call: SnippetUsage) => void,
): LiquidListener {
  const { file } = template;
  const { liquid } = context.theme.source(file);
  const canReceiveArguments = /^(?:snippets|blocks|assets)\//.test(file);
  const warn = (rule: string, offset: number, message: string): void =>
    context.add("warning", rule, context.locate(file, offset, liquid), message);
  const checkEscaping = ({ shopperText }: Value, offset: number, severityOverride?: Severity): void => {
    if (shopperText === undefined) return;
    const message = `prints ${shopperText.name}, which shoppers write, as HTML: add "| escape"`;
    // Unescaped text is an error if a link can set it or other visitors see it. In the `t` filter it is only a warning,
    // because that filter escapes such text.
    const severity = severityOverride ?? (shopperText.isUntrusted ? "error" : "warning");
    context.add(severity, "unescaped", context.locate(file, offset, liquid), message);
  };
  return {
    call,
    tag: (name, offset) => names.checkTag(name, file, offset),
    variable: (name, offset) => {
      const value =
        name === "linklists" ? createMenusType(context) : name === "form" ? form : globalVariables.get(name);
      if (template.sharedNames.has(name)) return undefined;
      if (value !== undefined || canReceiveArguments || template.isAssigned(name) || offset < 0) return value;
      const knownVariables = [
        ...globalVariables.keys(),
        ...template.assignedNames,
        ...template.scopedNames,
        ...template.sharedNames,
      ];
      warn(
        "unknown-variable",
        offset,
        `unknown variable "${name}", which is always empty${suggestName(name, knownVariables)}`,
      );
      return undefined;
    },
    filter: ({ name, offset, value, namedArgs }) => {
      names.checkFilter(name, file, offset);
      if (value.text === undefined) return;
      if (name === "t" || name === "translate") {
        if (!namedArgs.has("default")) names.checkTranslation(value.text, file, offset);
        if (value.text.endsWith("_html")) for (const arg of namedArgs.values()) checkEscaping(arg, offset, "warning");
      }
      if (assetFilters.has(name)) names.checkAsset(value.text.replace(/[?#].*/s, ""), file, offset);
    },
    onUnknownField: (offset, message) => warn("unknown-property", offset, message),
    onEmptyField: (offset, message) => warn("always-empty", offset, message),
    output: (value, offset) => checkEscaping(value, offset),
  };
}

/** Returns the type of `linklists`, with the store's menus as fields. If the store is unknown, any menu is accepted. */
function createMenusType({ store }: CheckContext): Value {
  const item = parseType("linklist");
  if (store === undefined) return { item };
  const { menus } = store;
  const missingMenuMessage = '"menus" of vitrine.config.ts has no menu';
  return { item, fields: new Map(menus.map((menu) => [menu, item])), missingFieldMessage: missingMenuMessage };
}

const assetFilters = new Set(["asset_url", "asset_img_url", "inline_asset_content"]);

/** Returns the path of the file that a tag includes, or undefined if the file name is an expression. */
function getIncludedFile(tag: string, name: string | undefined): string | undefined {
  const folder = foldersByTag.get(tag);
  if (folder === undefined || name === undefined) return undefined;
  if (folder === "snippets") return getSnippetFile(name);
  return `${folder}/${name}.${tag === "sections" ? "json" : "liquid"}`;
}

const foldersByTag: ReadonlyMap<string, string> = new Map([
  ["render", "snippets"],
  ["include", "snippets"],
  ["section", "sections"],
  ["sections", "sections"],
  ["layout", "layout"],
  ["block", "blocks"],
]);

const emptyListener: LiquidListener = {
  variable: () => undefined,
  filter: () => {},
  onUnknownField: () => {},
  onEmptyField: () => {},
  tag: () => {},
  output: () => {},
  call: () => {},
};

import type { Severity } from "./finding.ts";
import { type Include, includedNames, type Naming } from "./included-names.ts";
import { globalVariables, type KnownNames } from "./known-names.ts";
import { readStatements } from "./liquid/read-statements.ts";
import type { Statement } from "./liquid/statements.ts";
import { isSame, join, ofType, unknown, type Value } from "./liquid/value.ts";
import { type Call, type Listener, walk } from "./liquid/walk.ts";
import { didYouMean } from "./nearest.ts";
import { fileVariables } from "./settings-values.ts";
import type { ThemeUnderCheck } from "./theme-under-check.ts";

/** An inclusion of one file by another. */
export interface Use {
  readonly from: string;
  readonly to: string;
  readonly at: number;
}

/**
 * Evaluates every Liquid file of the theme with the values that its callers pass.
 * @returns the inclusions of snippets and other files
 */
export function checkTemplates(check: ThemeUnderCheck, names: KnownNames): Use[] {
  const templates = new Map<string, Template>();
  for (const file of check.theme.folder.texts.keys())
    if (file.endsWith(".liquid")) templates.set(file, new Template(check, file));
  for (const [file, names] of includedNames(templates)) for (const name of names) templates.get(file)?.shared.add(name);
  learnArguments(templates);
  const uses: Use[] = [];
  const form = formOf(check);
  for (const template of templates.values())
    template.walk(
      reporter({ check, names, form, template }, ({ tag, name, at, values }) => {
        const block = tag === "content_for" && name === "block" ? values.get("type")?.text : undefined;
        const target = block === undefined ? targetOf(tag, name) : `blocks/${block}.liquid`;
        if (target === undefined) return;
        names.file(target, template.file, at);
        uses.push({ from: template.file, to: target, at });
      }),
    );
  return uses;
}

class Template implements Naming {
  readonly file: string;
  readonly statements: readonly Statement[];
  readonly assigned = new Set<string>();
  readonly scoped = new Set<string>();
  readonly includes: Include[] = [];
  /** Variables to which an including or included file can assign any value. */
  readonly shared = new Set<string>();
  readonly #own: readonly (readonly [string, Value])[];
  /** Arguments that callers pass, or undefined if no caller is known. */
  passed: Map<string, Value> | undefined;

  constructor(check: ThemeUnderCheck, file: string) {
    this.file = file;
    this.statements = readStatements(check.theme.source(file).liquid);
    this.#own = fileVariables(check.theme, file);
    this.#note(this.statements);
  }

  walk(listener: Listener): void {
    const passed = [...(this.passed ?? [])].filter(([name]) => !this.shared.has(name));
    walk(this.statements, new Map([...this.#own, ...passed]), listener);
  }

  /** Returns whether a tag in the file, or in a file that shares its variables, assigns the variable. */
  isAssigned(name: string): boolean {
    return this.assigned.has(name) || this.scoped.has(name) || this.shared.has(name);
  }

  /** Adds the arguments of another caller.  @returns whether the known values change */
  give(values: ReadonlyMap<string, Value>): boolean {
    const before = this.passed;
    if (before === undefined) {
      this.passed = new Map(values);
      return true;
    }
    let isNew = false;
    for (const name of new Set([...before.keys(), ...values.keys()])) {
      const known = before.get(name) ?? globalVariables.get(name);
      const joined = join(known ?? unknown, values.get(name) ?? globalVariables.get(name) ?? known);
      if (isSame(before.get(name), joined)) continue;
      before.set(name, joined);
      isNew = true;
    }
    return isNew;
  }

  #note(statements: readonly Statement[]): void {
    for (const statement of statements) {
      if (statement.kind === "call" && statement.tag === "include") {
        const passed = statement.values.map(({ name }) => name || (statement.name ?? ""));
        this.includes.push({ to: targetOf("include", statement.name), passed });
      }
      if (statement.kind === "assign" || statement.kind === "capture") this.assigned.add(statement.name);
      if (statement.kind === "loop") this.scoped.add(statement.variable);
      if ("body" in statement) this.#note(statement.body);
      if ("otherwise" in statement) this.#note(statement.otherwise);
      if (statement.kind === "branch") for (const arm of statement.arms) this.#note(arm.body);
    }
  }
}

/** Propagates arguments from callers to snippets until nothing changes. */
function learnArguments(templates: ReadonlyMap<string, Template>): void {
  const open = new Set(templates.values());
  // The known values of an argument only become more general, so the loop ends. The limit guards against a defect.
  for (let left = templates.size * 20; open.size > 0 && left > 0; left -= 1) {
    const [template] = open;
    if (template === undefined) return;
    open.delete(template);
    template.walk({
      ...silent,
      variable: (name) => (template.shared.has(name) ? undefined : globalVariables.get(name)),
      call: ({ tag, name, values }) => {
        const called = templates.get(targetOf(tag, name) ?? "");
        if (called === undefined) return;
        if ((tag === "render" || tag === "include") && called.give(values)) open.add(called);
      },
    });
  }
}

/** Returns the `form` object with every field that a form of the theme posts: `contact[size]` is `form.size`. */
function formOf(check: ThemeUnderCheck): Value {
  const names = [...check.theme.folder.texts].flatMap(([file, text]) =>
    file.endsWith(".liquid")
      ? [...text.matchAll(/\bname\s*=\s*["']\w+\[([\w -]+)\]/g)].map(([, name = ""]) => name)
      : [],
  );
  return { ...ofType("form"), fields: new Map(names.map((name) => [name, unknown])) };
}

interface Reported {
  readonly check: ThemeUnderCheck;
  readonly names: KnownNames;
  readonly form: Value;
  readonly template: Template;
}

function reporter({ check, names, form, template }: Reported, call: (call: Call) => void): Listener {
  const { file } = template;
  const { liquid } = check.theme.source(file);
  const mayReceiveArguments = /^(?:snippets|blocks|assets)\//.test(file);
  const warn = (rule: string, at: number, message: string): void =>
    check.add("warning", rule, check.place(file, at, liquid), message);
  const raw = ({ shopperText }: Value, at: number, least?: Severity): void => {
    if (shopperText === undefined) return;
    const message = `prints ${shopperText.name}, which shoppers write, as HTML: add "| escape"`;
    // The translate filter escapes values that come from the URL.
    const severity = least ?? (shopperText.isUntrusted ? "error" : "warning");
    check.add(severity, "unescaped", check.place(file, at, liquid), message);
  };
  return {
    call,
    tag: (name, at) => names.tag(name, file, at),
    variable: (name, at) => {
      const value = name === "linklists" ? menusOf(check) : name === "form" ? form : globalVariables.get(name);
      if (template.shared.has(name)) return undefined;
      if (value !== undefined || mayReceiveArguments || template.isAssigned(name) || at < 0) return value;
      const known = [...globalVariables.keys(), ...template.assigned, ...template.scoped, ...template.shared];
      warn("unknown-variable", at, `unknown variable "${name}", which is always empty${didYouMean(name, known)}`);
      return undefined;
    },
    filter: ({ name, at, value, named }) => {
      names.filter(name, file, at);
      if (value.text === undefined) return;
      if (name === "t" || name === "translate") {
        if (!named.has("default")) names.translation(value.text, file, at);
        if (value.text.endsWith("_html")) for (const one of named.values()) raw(one, at, "warning");
      }
      if (assetFilters.has(name)) names.asset(value.text, file, at);
    },
    unknownField: (at, message) => warn("unknown-property", at, message),
    emptyField: (at, message) => warn("always-empty", at, message),
    printed: (value, at) => raw(value, at),
  };
}

/** Returns `linklists` with the store's menus if they are known, else with any menu. */
function menusOf({ store }: ThemeUnderCheck): Value {
  const item = ofType("linklist");
  if (store === undefined) return { item };
  const { menus } = store;
  const fieldsOf = '"menus" of vitrine.config.ts has no menu';
  return { item, fields: new Map(menus.map((menu) => [menu, item])), fieldsOf };
}

const assetFilters = new Set(["asset_url", "asset_img_url", "inline_asset_content"]);

/** Returns the file that a tag includes, or undefined if the file name is an expression. */
function targetOf(tag: string, name: string | undefined): string | undefined {
  const folder = folders.get(tag);
  if (folder === undefined || name === undefined) return undefined;
  return `${folder}/${name}.${tag === "sections" ? "json" : "liquid"}`;
}

const folders: ReadonlyMap<string, string> = new Map([
  ["render", "snippets"],
  ["include", "snippets"],
  ["section", "sections"],
  ["sections", "sections"],
  ["layout", "layout"],
  ["block", "blocks"],
]);

const silent: Listener = {
  variable: () => undefined,
  filter: () => {},
  unknownField: () => {},
  emptyField: () => {},
  tag: () => {},
  printed: () => {},
  call: () => {},
};

import type { StoredRules } from "../../console/console.ts";
import type { ConsoleMessageKey } from "../../console/console-messages.ts";
import type { RulesName } from "../../predictive-search/rules/parse-search-rules.ts";
import { factorNames, rulesFileNames } from "../../predictive-search/rules/parse-search-rules.ts";
import type { RuleTexts } from "../../predictive-search/rules/rule-texts.ts";
import { Problem } from "../../problem.ts";
import { createTextReply, type Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  limitFieldText,
  renderForm,
} from "./console-page.ts";
import { markEnglish, renderAlert, renderNotice } from "./console-texts.ts";
import { type Markup, type MarkupValue, markup, renderOptions } from "./markup.ts";
import {
  addRule,
  formatRule,
  mergeRules,
  parseLines,
  parseRevision,
  parseRulesName,
  removeRule,
  type SectionLine,
} from "./rule-forms.ts";
import { renderRulesTest } from "./rules-test.ts";
import { renderSuggestions } from "./synonym-suggestions.ts";

/** Renders `GET /admin/rules`: the draft of the search rules, or the rules of the shop's rule files. */
export async function showRules(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const { query } = visit.request;
  const notice = renderNotice(visit.texts, notices.get(query.get("done") ?? ""));
  const changedKind = parseRulesName({ name: query.get("kind") });
  const files = shop.console.readFolderRules();
  const [draft, liveRules] = await readRules(shop);
  const suggestions = await renderSuggestions(shop, visit, files ?? draft.texts, files === undefined);
  const testSection = files === undefined && (await renderRulesTest(shop, visit));
  return files === undefined
    ? renderRulesPage(
        shop,
        visit,
        { draft, liveRules },
        [changedKind === undefined && notice, testSection, suggestions],
        changedKind && { name: changedKind, notice },
      )
    : renderFilesPage(visit, files, {
        notice: [notice, suggestions],
        hasStoredRules: Object.values(liveRules.texts).some((text) => text !== ""),
      });
}

/**
 * Handles `POST /admin/rules/take-over`: moves the rules of the files into the database, and merges them with the rules
 * there.
 */
export async function publishFolderRules(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const files = shop.console.readFolderRules();
  if (files === undefined) return "/admin/rules";
  const { texts } = await shop.console.drafts.readPublishedRules();
  const errors = await shop.console.readFolderErrors();
  if (errors.length > 0) return renderFilesPage(visit, files, { errors });
  return `/admin/rules?done=${await shop.console.publishFolderRules(mergeRules(files, texts, shop.config.locales))}`;
}

/** Handles `POST /admin/rules`: adds a rule to the draft or removes one. */
export async function changeRules(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { form } = visit;
  const name = parseRulesName(form);
  if (name === undefined) throw new Problem("bad_request", "Unknown kind of rule.");
  const [draft, liveRules] = await readRules(shop);
  const isRemoval = form.remove !== undefined;
  const newRules = isRemoval
    ? removeRule(draft.texts, name, limitFieldText(form.section), limitFieldText(form.remove, 2_000))
    : addRule(draft.texts, formatRule(name, form), parseLocale(shop, form), shop.config.locales);
  if (typeof newRules === "string") {
    const notice = renderAlert(visit.texts.translate(newRules) ?? markEnglish(newRules));
    return renderRulesPage(shop, visit, { draft, liveRules }, undefined, { name, notice, rejectedForm: form });
  }
  if (!(await shop.console.drafts.save(newRules, draft.revision)))
    return renderRulesPage(shop, visit, { draft, liveRules }, renderAlert(visit.texts.get("rules.conflict")));
  return `/admin/rules?done=${isRemoval ? "removed" : "added"}&kind=${name}`;
}

/** Reads the draft of the search rules, and the published rules. */
export function readRules({ console: { drafts } }: ConsoleServices): Promise<[StoredRules, StoredRules]> {
  return Promise.all([drafts.readDraftRules(), drafts.readPublishedRules()]);
}

/** Handles `POST /admin/rules/publish`: makes the draft active. */
export async function publishRules(shop: ConsoleServices, { form }: FormVisit): Promise<string> {
  return `/admin/rules?done=${(await shop.console.drafts.publish(parseRevision(form.revision))) ? "published" : "changed"}`;
}

/** Handles `POST /admin/rules/discard`: deletes the draft. */
export async function discardDraft(shop: ConsoleServices, { form }: FormVisit): Promise<string> {
  return `/admin/rules?done=${(await shop.console.drafts.discard(parseRevision(form.revision))) ? "discarded" : "changed"}`;
}

/** Handles `GET /admin/rules/export/<name>.txt`: returns the active rules as a file for the folder `search/`. */
export async function exportRules(shop: ConsoleServices, request: StoreRequest): Promise<Reply> {
  const name = rulesFileNames.find((name) => `${name}.txt` === request.params.file);
  if (name === undefined) throw new Problem("not_found", "Unknown kind of rule.");
  const texts = shop.console.readFolderRules() ?? (await shop.console.drafts.readPublishedRules()).texts;
  return createTextReply(200, `${texts[name]}\n`, { "content-disposition": `attachment; filename="${name}.txt"` });
}

/** Renders the buttons to preview, test, publish, or discard a draft of the search rules. */
export function renderDraftForms({ session, texts }: ConsoleVisit, revision: number): Markup {
  const hiddenFields = markup`<input type="hidden" name="revision" value="${revision}">`;
  return markup`<div class="row">${renderForm(session, "/admin/rules/replay", [hiddenFields, markup`<button>${texts.get("rules.preview")}</button>`])}
${renderForm(session, "/admin/rules/test", [hiddenFields, markup`<button>${texts.get("rules.test")}</button>`])}
${renderForm(session, "/admin/rules/publish", [hiddenFields, markup`<button>${texts.get("actions.publish")}</button>`])}
${renderForm(session, "/admin/rules/discard", [hiddenFields, markup`<button class="plain">${texts.get("rules.discard")}</button>`])}</div>`;
}

const notices: ReadonlyMap<string, ConsoleMessageKey> = new Map([
  ["added", "rules.added"],
  ["removed", "rules.removed"],
  ["published", "rules.published"],
  ["discarded", "rules.discarded"],
  ["changed", "rules.changed"],
  ["dismissed", "rules.dismissed"],
  ["test_started", "rules.testStarted"],
  ["test_running", "rules.testRunning"],
  ["test_stopped", "rules.testStopped"],
  ["test_changed", "rules.testChanged"],
  ["files", "rules.files"],
  ["taken_over", "rules.takenOver"],
  ["copied", "rules.copied"],
]);

/** Result of a form that changed the rules of one kind. */
interface RulesResult {
  readonly name: RulesName;
  readonly notice: Markup | undefined;
  /** Fields of a rejected form. */
  readonly rejectedForm?: Readonly<Record<string, unknown>>;
}

function renderRulesPage(
  shop: ConsoleServices,
  visit: ConsoleVisit,
  { draft, liveRules }: { readonly draft: StoredRules; readonly liveRules: StoredRules },
  notice?: MarkupValue,
  result?: RulesResult,
): ConsolePage {
  const { texts } = visit;
  const renderChange = (changeSign: string, { line }: SectionLine, name: RulesName): Markup =>
    markup`<li>${changeSign} <code>${line}</code> <small class="muted">${texts.get(`rules.${name}`)}</small></li>`;
  const changes = rulesFileNames.flatMap((name) => {
    const [draftLines, liveLines] = [parseLines(draft.texts, name), parseLines(liveRules.texts, name)];
    return [
      ...draftLines.filter((entry) => !hasLine(liveLines, entry)).map((entry) => renderChange("+", entry, name)),
      ...liveLines.filter((entry) => !hasLine(draftLines, entry)).map((entry) => renderChange("-", entry, name)),
    ];
  });
  const draftSection =
    draft.hasDraft &&
    markup`<section class="panel draft"><h2>${texts.get("labels.draft")}</h2>${changes.length === 0 ? markup`<p>${texts.get("rules.unchanged")}</p>` : markup`<ul class="plain-list">${changes}</ul>`}${renderDraftForms(visit, draft.revision)}</section>`;
  const sections = rulesFileNames.map((name) =>
    renderRulesOfKind(shop, visit, name, parseLines(draft.texts, name), result?.name === name ? result : undefined),
  );
  return {
    title: texts.get("nav.rules"),
    status: result?.rejectedForm === undefined ? 200 : 422,
    body: markup`${notice}<p>${texts.get("rules.intro")}</p>${draftSection}${sections}`,
  };
}

/**
 * Renders the rules of the rule files, which cannot be edited in the console.
 * @param hasStoredRules whether the database also contains rules, which are ignored
 */
function renderFilesPage(
  { session, texts }: ConsoleVisit,
  files: RuleTexts,
  {
    notice,
    hasStoredRules = false,
    errors = [],
  }: { readonly notice?: MarkupValue; readonly hasStoredRules?: boolean; readonly errors?: readonly string[] },
): ConsolePage {
  const alerts = errors.map((error) => renderAlert(markEnglish(error)));
  const sections = rulesFileNames.map((name) => {
    const lines = parseLines(files, name).map((entry) => markup`<li class="row">${renderLine(entry)}</li>`);
    const list =
      lines.length > 0
        ? markup`<ul class="plain-list">${lines}</ul>`
        : markup`<p class="muted">${texts.get("labels.none")}</p>`;
    return markup`<section class="panel" id="${name}"><h2>${texts.get(`rules.${name}`)}</h2>${list}</section>`;
  });
  const storedNote = hasStoredRules && markup`<p>${texts.get("rules.storedHint")}</p>`;
  const form = renderForm(session, "/admin/rules/take-over", markup`<button>${texts.get("rules.takeOver")}</button>`);
  return {
    title: texts.get("nav.rules"),
    status: errors.length === 0 ? 200 : 422,
    body: markup`${notice}${alerts}<section class="panel"><p>${texts.render("rules.filesHint", { folder: markup`<code>search/</code>` })}</p>${storedNote}${form}</section>${sections}`,
  };
}

function renderLine({ section, line }: SectionLine): Markup {
  return markup`<code class="grow">${line}</code>${section !== "[all]" && markup`<span class="badge">${section.slice(1, -1)}</span>`}`;
}

function hasLine(lines: readonly SectionLine[], { section, line }: SectionLine): boolean {
  return lines.some((entry) => entry.section === section && entry.line === line);
}

/** Texts of the fields that differ between kinds of rules. */
const ruleLabels: Readonly<Record<RulesName, Readonly<Record<"query" | "value", ConsoleMessageKey>>>> = {
  synonyms: { query: "rules.synonymsQuery", value: "rules.synonymsValue" },
  pins: { query: "nav.searches", value: "nav.products" },
  boosts: { query: "nav.searches", value: "nav.products" },
  ranking: { query: "nav.searches", value: "rules.rankingValue" },
  hides: { query: "nav.searches", value: "nav.products" },
  redirects: { query: "nav.searches", value: "rules.redirectsValue" },
};

/** Examples in the hints. */
const hintValues = {
  pattern: markup`<code>rain*</code>`,
  prefix: markup`<code>rain</code>`,
  path: markup`<code>/pages/returns</code>`,
};

function renderRulesOfKind(
  shop: ConsoleServices,
  { session, texts }: ConsoleVisit,
  name: RulesName,
  lines: readonly SectionLine[],
  result: RulesResult | undefined,
): Markup {
  const title = texts.get(`rules.${name}`);
  const [query, value] = [texts.get(ruleLabels[name].query), texts.get(ruleLabels[name].value)];
  const remove = texts.get("actions.remove");
  const rows = lines.map(({ section, line }) => {
    const hiddenFields = markup`<input type="hidden" name="name" value="${name}"><input type="hidden" name="section" value="${section}"><input type="hidden" name="remove" value="${line}">`;
    return markup`<li class="row">${renderLine({ section, line })}${renderForm(session, "/admin/rules", [hiddenFields, markup`<button class="plain" aria-label="${texts.get("actions.named", { action: remove, name: line })}">${remove}</button>`])}</li>`;
  });
  const readSubmittedValue = (field: string): string => limitFieldText(result?.rejectedForm?.[field], 1_000);
  const renderInput = (field: string, label: string, type: string, isRequired: boolean): Markup =>
    markup`<div class="${type === "text" ? "grow" : ""}"><label for="${name}-${field}">${label}</label><input id="${name}-${field}" name="${field}" type="${type}" value="${readSubmittedValue(field)}"${isRequired ? markup` required` : ""} aria-describedby="${name}-hint"></div>`;
  const factors = factorNames.map((factor) => [factor, texts.get(`try.${factor}Name`)] as const);
  const valueField =
    name === "ranking"
      ? markup`<div><label for="ranking-value">${value}</label><select id="ranking-value" name="value" aria-describedby="ranking-hint">${renderOptions(factors, readSubmittedValue("value"))}</select></div>${renderInput("amount", texts.get("rules.amount"), "number", false)}`
      : renderInput("value", value, "text", name !== "synonyms");
  const hasPointsField = name === "boosts" || name === "ranking";
  const { locales } = shop.config;
  const localeNames = [
    ["", texts.get("rules.allLanguages")] as const,
    ...[locales.default, ...locales.others].map((entry) => [entry, entry] as const),
  ];
  const languages =
    locales.others.length > 0 &&
    name !== "synonyms" &&
    markup`<div><label for="${name}-locale">${texts.get("labels.language")}</label><select id="${name}-locale" name="locale">${renderOptions(localeNames, readSubmittedValue("locale"))}</select></div>`;
  const fields = markup`<input type="hidden" name="name" value="${name}">
<div class="row">${renderInput("query", query, "text", true)}${valueField}${hasPointsField && renderInput("points", texts.get("labels.points"), "number", false)}${renderInput("from", texts.get("labels.from"), "date", false)}${renderInput("until", texts.get("labels.until"), "date", false)}${languages}<button>${texts.get("rules.add")}</button></div>
<p class="muted" id="${name}-hint">${texts.render(`rules.${name}Hint`, hintValues)}</p>`;
  return markup`<section class="panel" id="${name}"><h2>${title}</h2>${result?.notice}${rows.length > 0 && markup`<ul class="plain-list">${rows}</ul>`}${renderForm(session, "/admin/rules", fields)}<p><a href="/admin/rules/export/${name}.txt">${texts.get("rules.download")}</a></p></section>`;
}

function parseLocale({ config }: ConsoleServices, form: Readonly<Record<string, unknown>>): string | undefined {
  return [config.locales.default, ...config.locales.others].find((entry) => entry === form.locale);
}

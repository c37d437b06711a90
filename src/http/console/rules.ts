import type { StoredRules } from "../../console/console.ts";
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
import { type Markup, type MarkupValue, markup } from "./markup.ts";
import {
  addRule,
  formatRule,
  getRuleContext,
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
  const message = notices[visit.request.query.get("done") ?? ""];
  const notice = message && markup`<p class="done" role="status">${message}</p>`;
  const files = shop.console.readFileRules();
  const [draft, liveRules] = await Promise.all([shop.console.drafts.readDraft(), shop.console.drafts.readPublished()]);
  const suggestions = await renderSuggestions(shop, visit, files ?? draft.texts, files === undefined);
  const test = files === undefined && (await renderRulesTest(shop, visit));
  return files === undefined
    ? renderRulesPage(shop, visit, { draft, liveRules }, [notice, test, suggestions])
    : renderFilesPage(visit, files, {
        notice: [notice, suggestions],
        hasStoredRules: Object.values(liveRules.texts).some((text) => text !== ""),
      });
}

/**
 * Handles `POST /admin/rules/take-over`: moves the rules of the files into the database, and merges them with the rules
 * there.
 */
export async function takeOverRules(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const files = shop.console.readFileRules();
  if (files === undefined) return "/admin/rules";
  const { texts } = await shop.console.drafts.readPublished();
  const errors = await shop.console.readFileErrors();
  if (errors.length > 0) return renderFilesPage(visit, files, { errors });
  return `/admin/rules?done=${await shop.console.takeOverRules(mergeRules(files, texts, getRuleContext(shop)))}`;
}

/** Handles `POST /admin/rules`: adds a rule to the draft or removes one. */
export async function changeRules(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { form } = visit;
  const name = parseRulesName(form);
  if (name === undefined) throw new Problem("bad_request", "Unknown kind of rule.");
  const [draft, liveRules] = await Promise.all([shop.console.drafts.readDraft(), shop.console.drafts.readPublished()]);
  const isRemoval = form.remove !== undefined;
  const newRules = isRemoval
    ? removeRule(draft.texts, name, limitFieldText(form.section), limitFieldText(form.remove, 2_000))
    : addRule(draft.texts, formatRule(name, form), parseLocale(shop, form), getRuleContext(shop));
  if (typeof newRules === "string")
    return renderRulesPage(shop, visit, { draft, liveRules }, undefined, { name, error: newRules, form });
  if (!(await shop.console.drafts.save(newRules, draft.revision)))
    return renderRulesPage(shop, visit, { draft, liveRules }, conflictAlert);
  return `/admin/rules?done=${isRemoval ? "removed" : "added"}#${name}`;
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
  const texts = shop.console.readFileRules() ?? (await shop.console.drafts.readPublished()).texts;
  return createTextReply(200, `${texts[name]}\n`, { "content-disposition": `attachment; filename="${name}.txt"` });
}

/** Renders the buttons to preview, test, publish, or discard a draft of the search rules. */
export function renderDraftForms({ session }: ConsoleVisit, revision: number): Markup {
  const hiddenFields = markup`<input type="hidden" name="revision" value="${revision}">`;
  return markup`<div class="row">${renderForm(session, "/admin/rules/replay", [hiddenFields, markup`<button>Preview changes</button>`])}
${renderForm(session, "/admin/rules/test", [hiddenFields, markup`<button>Test with shoppers</button>`])}
${renderForm(session, "/admin/rules/publish", [hiddenFields, markup`<button>Publish</button>`])}
${renderForm(session, "/admin/rules/discard", [hiddenFields, markup`<button class="plain">Discard draft</button>`])}</div>`;
}

const notices: Readonly<Record<string, string>> = {
  added: "Rule added to the draft. Publish the draft to apply it.",
  removed: "Rule removed from the draft. It applies until you publish the draft.",
  published: "Rules published. They apply within a second.",
  discarded: "Draft discarded.",
  changed: "Someone else changed the draft. Review it and try again.",
  dismissed: "Suggestion dismissed.",
  test_started: "Test started. It runs on all servers within a second.",
  test_running: "A test is running. Stop it first.",
  test_stopped: "Test stopped. The draft and the published rules did not change.",
  test_changed: "This test has ended already.",
  files: "The rules in the search/ folder apply. Take them over to edit rules here.",
  taken_over: "Rules taken over. You can edit them here now.",
  copied: "Rules copied. The server cannot rename the search/ folder. Remove it to apply the rules of the console.",
};

const conflictAlert = markup`<p class="fault" role="alert">Someone else changed the draft. This is the current version. Make your change again.</p>`;

interface RejectedRule {
  readonly name: RulesName;
  readonly error: string;
  readonly form: Readonly<Record<string, unknown>>;
}

function renderRulesPage(
  shop: ConsoleServices,
  visit: ConsoleVisit,
  { draft, liveRules }: { readonly draft: StoredRules; readonly liveRules: StoredRules },
  notice?: MarkupValue,
  rejectedRule?: RejectedRule,
): ConsolePage {
  const changes = rulesFileNames.flatMap((name) => {
    const [draftLines, liveLines] = [parseLines(draft.texts, name), parseLines(liveRules.texts, name)];
    return [
      ...draftLines
        .filter((entry) => !hasLine(liveLines, entry))
        .map(({ line }) => markup`<li>+ ${line} <small class="muted">${name}</small></li>`),
      ...liveLines
        .filter((entry) => !hasLine(draftLines, entry))
        .map(({ line }) => markup`<li>- ${line} <small class="muted">${name}</small></li>`),
    ];
  });
  const draftSection =
    draft.hasDraft &&
    markup`<section class="panel draft"><h2>Draft</h2>${changes.length === 0 ? markup`<p>The draft has no changes.</p>` : markup`<ul class="plain-list">${changes}</ul>`}${renderDraftForms(visit, draft.revision)}</section>`;
  const sections = rulesFileNames.map((name) =>
    renderRulesOfKind(
      shop,
      visit,
      name,
      parseLines(draft.texts, name),
      rejectedRule?.name === name ? rejectedRule : undefined,
    ),
  );
  return {
    title: "Search rules",
    status: rejectedRule === undefined ? 200 : 422,
    body: markup`${notice}<p>Changes are saved as a draft until you publish them.</p>${draftSection}${sections}`,
  };
}

/**
 * Renders the rules of the rule files, which cannot be edited in the console.
 * @param shown.hasStoredRules whether the database also contains rules, which are ignored
 */
function renderFilesPage(
  { session }: ConsoleVisit,
  files: RuleTexts,
  {
    notice,
    hasStoredRules = false,
    errors = [],
  }: { readonly notice?: MarkupValue; readonly hasStoredRules?: boolean; readonly errors?: readonly string[] },
): ConsolePage {
  const alerts = errors.map((error) => markup`<p class="fault" role="alert">${error}</p>`);
  const sections = rulesFileNames.map((name) => {
    const lines = parseLines(files, name).map((entry) => markup`<li class="row">${renderLine(entry)}</li>`);
    const list = lines.length > 0 ? markup`<ul class="plain-list">${lines}</ul>` : markup`<p class="muted">None</p>`;
    return markup`<section class="panel" id="${name}"><h2>${ruleLabels[name].title}</h2>${list}</section>`;
  });
  const storedNote =
    hasStoredRules &&
    markup`<p>Rules that were published here before do not apply now. If you take over the files, they apply again, except for queries for which a file has a rule.</p>`;
  const form = renderForm(session, "/admin/rules/take-over", markup`<button>Take over</button>`);
  return {
    title: "Search rules",
    status: errors.length === 0 ? 200 : 422,
    body: markup`${notice}${alerts}<section class="panel"><p>The rules in the store's <code>search/</code> folder apply, and are edited there. To edit rules here, take them over: they are moved into the database, and the folder is renamed.</p>${storedNote}${form}</section>${sections}`,
  };
}

function renderLine({ section, line }: SectionLine): Markup {
  return markup`<code class="grow">${line}</code>${section !== "[all]" && markup`<span class="badge">${section.slice(1, -1)}</span>`}`;
}

function hasLine(lines: readonly SectionLine[], { section, line }: SectionLine): boolean {
  return lines.some((entry) => entry.section === section && entry.line === line);
}

interface RuleLabels {
  readonly title: string;
  readonly query: string;
  readonly value: string;
  readonly hint: string;
}

const ruleLabels: Readonly<Record<RulesName, RuleLabels>> = {
  synonyms: {
    title: "Synonyms",
    query: "Words with the same meaning",
    value: "One-way: also matches",
    hint: "Example: sofa, couch, settee. If you fill in the second field, searches for the first words also match it, but not the reverse.",
  },
  pins: {
    title: "Pins",
    query: "Searches",
    value: "Products",
    hint: "Handles of the products to show first, in this order. rain* matches every search that starts with rain.",
  },
  boosts: {
    title: "Boosts",
    query: "Searches",
    value: "Products",
    hint: "Handles of the products to rank higher when they match the search.",
  },
  ranking: {
    title: "Ranking",
    query: "Searches",
    value: "Rank by",
    hint: "* ranks every search. Stock: units at which a product gets all points; default: 1. Newness: days after which it gets none; default: 30. Margin: a product with a margin of 40% gets 40% of the points.",
  },
  hides: {
    title: "Hides",
    query: "Searches",
    value: "Products",
    hint: "Handles of the products to hide for these searches.",
  },
  redirects: {
    title: "Redirects",
    query: "Searches",
    value: "Path",
    hint: "Path of the page to open instead of the results page: /pages/returns.",
  },
};

function renderRulesOfKind(
  shop: ConsoleServices,
  { session }: ConsoleVisit,
  name: RulesName,
  lines: readonly SectionLine[],
  rejectedRule: RejectedRule | undefined,
): Markup {
  const { title, query, value, hint } = ruleLabels[name];
  const rows = lines.map(({ section, line }) => {
    const hiddenFields = markup`<input type="hidden" name="name" value="${name}"><input type="hidden" name="section" value="${section}"><input type="hidden" name="remove" value="${line}">`;
    return markup`<li class="row">${renderLine({ section, line })}${renderForm(session, "/admin/rules", [hiddenFields, markup`<button class="plain" aria-label="Remove ${line}">Remove</button>`])}</li>`;
  });
  const readSubmittedValue = (field: string): string => limitFieldText(rejectedRule?.form[field], 1_000);
  const renderInput = (field: string, label: string, type: string, isRequired: boolean): Markup =>
    markup`<div class="${type === "text" ? "grow" : ""}"><label for="${name}-${field}">${label}</label><input id="${name}-${field}" name="${field}" type="${type}" value="${readSubmittedValue(field)}"${isRequired ? markup` required` : ""} aria-describedby="${name}-hint"></div>`;
  const factorOptions = factorNames.map(
    (factor) => markup`<option${factor === readSubmittedValue("value") ? markup` selected` : ""}>${factor}</option>`,
  );
  const valueField =
    name === "ranking"
      ? markup`<div><label for="ranking-value">${value}</label><select id="ranking-value" name="value" aria-describedby="ranking-hint">${factorOptions}</select></div>${renderInput("amount", "Units or days", "number", false)}`
      : renderInput("value", value, "text", name !== "synonyms");
  const hasPointsField = name === "boosts" || name === "ranking";
  const { locales } = shop.config;
  const languages =
    locales.others.length > 0 &&
    name !== "synonyms" &&
    markup`<div><label for="${name}-locale">Language</label><select id="${name}-locale" name="locale"><option value="">All languages</option>${[locales.default, ...locales.others].map((entry) => markup`<option${entry === readSubmittedValue("locale") ? markup` selected` : ""}>${entry}</option>`)}</select></div>`;
  const fields = markup`<input type="hidden" name="name" value="${name}">
${rejectedRule && markup`<p class="fault" role="alert">${rejectedRule.error}</p>`}
<div class="row">${renderInput("query", query, "text", true)}${valueField}${hasPointsField && renderInput("points", "Points", "number", false)}${renderInput("from", "From", "date", false)}${renderInput("until", "Until", "date", false)}${languages}<button>Add to ${title.toLowerCase()}</button></div>
<p class="muted" id="${name}-hint">${hint}</p>`;
  return markup`<section class="panel" id="${name}"><h2>${title}</h2>${rows.length > 0 && markup`<ul class="plain-list">${rows}</ul>`}${renderForm(session, "/admin/rules", fields)}<p><a href="/admin/rules/export/${name}.txt">Download active rules</a></p></section>`;
}

function parseLocale({ config }: ConsoleServices, form: Readonly<Record<string, unknown>>): string | undefined {
  return [config.locales.default, ...config.locales.others].find((entry) => entry === form.locale);
}

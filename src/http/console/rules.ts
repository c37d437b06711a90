import type { StoredRules } from "../../console/console.ts";
import type { RuleContext, RulesName } from "../../predictive-search/rules/parse-search-rules.ts";
import { rulesNames } from "../../predictive-search/rules/parse-search-rules.ts";
import type { RuleTexts } from "../../predictive-search/rules/rule-texts.ts";
import { Problem } from "../../problem.ts";
import { parseSameStorePath } from "../../security/same-store-path.ts";
import { type Reply, text } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { type ConsolePage, type ConsoleShop, type ConsoleVisit, textIn, writingForm } from "./console-page.ts";
import { type Insertable, type Markup, markup } from "./markup.ts";
import { linesOf, mergeRules, rulesNameIn, type ShownLine, withoutRule, withRule, writeRule } from "./rule-forms.ts";

interface FormVisit extends ConsoleVisit {
  readonly form: Readonly<Record<string, unknown>>;
}

/** Renders `GET /admin/rules`: the draft of the search rules, or the rules of the files if those apply. */
export async function rulesPage(shop: ConsoleShop, visit: ConsoleVisit): Promise<ConsolePage> {
  const done = notices[visit.request.query.get("done") ?? ""];
  const notice = done && markup`<p class="done" role="status">${done}</p>`;
  const files = shop.console.fileRules();
  const [draft, live] = await Promise.all([shop.console.drafts.readDraft(), shop.console.drafts.readPublished()]);
  return files === undefined
    ? page(shop, visit, { draft, live }, notice)
    : filesPage(visit, files, { notice, hasStored: Object.values(live.texts).some((stored) => stored !== "") });
}

/** Handles `POST /admin/rules/take-over`: moves the rules of the files into the database and merges them. */
export async function takeOverRules(shop: ConsoleShop, visit: FormVisit): Promise<ConsolePage | string> {
  const files = shop.console.fileRules();
  if (files === undefined) return "/admin/rules";
  const { texts } = await shop.console.drafts.readPublished();
  const errors = await shop.console.fileErrors();
  if (errors.length > 0) return filesPage(visit, files, { errors });
  return `/admin/rules?done=${await shop.console.takeOverRules(mergeRules(files, texts, contextOf(shop)))}`;
}

/** Handles `POST /admin/rules`: adds a rule to the draft or removes one. */
export async function changeRules(shop: ConsoleShop, visit: FormVisit): Promise<ConsolePage | string> {
  const { form } = visit;
  const name = rulesNameIn(form);
  if (name === undefined) throw new Problem("bad_request", "Unknown kind of rule.");
  const [draft, live] = await Promise.all([shop.console.drafts.readDraft(), shop.console.drafts.readPublished()]);
  const isRemoval = form.remove !== undefined;
  const changed = isRemoval
    ? withoutRule(draft.texts, name, textIn(form.section), textIn(form.remove, 2_000))
    : withRule(draft.texts, writeRule(name, form), localeIn(shop, form), contextOf(shop));
  if (typeof changed === "string") return page(shop, visit, { draft, live }, undefined, { name, error: changed, form });
  if (!(await shop.console.drafts.save(changed, draft.revision)))
    return page(shop, visit, { draft, live }, someoneElse);
  return `/admin/rules?done=${isRemoval ? "removed" : "added"}#${name}`;
}

/** Handles `POST /admin/rules/publish`: makes the draft active. */
export async function publishRules(shop: ConsoleShop, { form }: FormVisit): Promise<string> {
  return `/admin/rules?done=${(await shop.console.drafts.publish(revisionIn(form))) ? "published" : "changed"}`;
}

/** Handles `POST /admin/rules/discard`: deletes the draft. */
export async function discardRules(shop: ConsoleShop, { form }: FormVisit): Promise<string> {
  return `/admin/rules?done=${(await shop.console.drafts.discard(revisionIn(form))) ? "discarded" : "changed"}`;
}

/** Handles `GET /admin/rules/export/<name>.txt`: returns the active rules as a file for the folder `search/`. */
export async function exportRules(shop: ConsoleShop, request: StoreRequest): Promise<Reply> {
  const name = rulesNames.find((one) => `${one}.txt` === request.params.file);
  if (name === undefined) throw new Problem("not_found", "Unknown kind of rule.");
  const texts = shop.console.fileRules() ?? (await shop.console.drafts.readPublished()).texts;
  return text(200, `${texts[name]}\n`, { "content-disposition": `attachment; filename="${name}.txt"` });
}

/** Renders the publish, discard, and replay buttons of a draft. */
export function draftForms({ session }: ConsoleVisit, revision: number): Markup {
  const hidden = markup`<input type="hidden" name="revision" value="${revision}">`;
  return markup`<div class="row">${writingForm(session, "/admin/rules/replay", [hidden, markup`<button>Preview changes</button>`])}
${writingForm(session, "/admin/rules/publish", [hidden, markup`<button>Publish</button>`])}
${writingForm(session, "/admin/rules/discard", [hidden, markup`<button class="plain">Discard draft</button>`])}</div>`;
}

const notices: Readonly<Record<string, string>> = {
  added: "Rule added to the draft. Publish the draft to apply it.",
  removed: "Rule removed from the draft. It applies until you publish the draft.",
  published: "Rules published. They apply within a second.",
  discarded: "Draft discarded.",
  changed: "Someone else changed the draft. Review it and try again.",
  files: "The rules in the search/ folder apply. Take them over to edit rules here.",
  taken_over: "Rules taken over. You can edit them here now.",
  copied: "Rules copied. The server cannot rename the search/ folder. Remove it to apply the rules of the console.",
};

const someoneElse = markup`<p class="fault" role="alert">Someone else changed the draft. This is the current version. Make your change again.</p>`;

interface RejectedRule {
  readonly name: RulesName;
  readonly error: string;
  readonly form: Readonly<Record<string, unknown>>;
}

function page(
  shop: ConsoleShop,
  visit: ConsoleVisit,
  { draft, live }: { readonly draft: StoredRules; readonly live: StoredRules },
  notice?: Insertable,
  rejected?: RejectedRule,
): ConsolePage {
  const changes = rulesNames.flatMap((name) => {
    const [now, then] = [linesOf(draft.texts, name), linesOf(live.texts, name)];
    return [
      ...now
        .filter((one) => !holds(then, one))
        .map(({ line }) => markup`<li>+ ${line} <small class="muted">${name}</small></li>`),
      ...then
        .filter((one) => !holds(now, one))
        .map(({ line }) => markup`<li>- ${line} <small class="muted">${name}</small></li>`),
    ];
  });
  const pending =
    draft.hasDraft &&
    markup`<section class="panel draft"><h2>Draft</h2>${changes.length === 0 ? markup`<p>The draft has no changes.</p>` : markup`<ul class="plain-list">${changes}</ul>`}${draftForms(visit, draft.revision)}</section>`;
  const sections = rulesNames.map((name) =>
    kind(shop, visit, name, linesOf(draft.texts, name), rejected?.name === name ? rejected : undefined),
  );
  return {
    title: "Search rules",
    status: rejected === undefined ? 200 : 422,
    body: markup`${notice}<p>Changes are saved as a draft until you publish them.</p>${pending}${sections}`,
  };
}

/**
 * Renders the rules of the files, which can be edited only there.
 * @param shown.hasStored whether the database contains rules, which do not apply
 */
function filesPage(
  { session }: ConsoleVisit,
  files: RuleTexts,
  {
    notice,
    hasStored = false,
    errors = [],
  }: { readonly notice?: Insertable; readonly hasStored?: boolean; readonly errors?: readonly string[] },
): ConsolePage {
  const alerts = errors.map((error) => markup`<p class="fault" role="alert">${error}</p>`);
  const sections = rulesNames.map((name) => {
    const lines = linesOf(files, name).map((one) => markup`<li class="row">${lineWithLanguage(one)}</li>`);
    const list = lines.length > 0 ? markup`<ul class="plain-list">${lines}</ul>` : markup`<p class="muted">None</p>`;
    return markup`<section class="panel" id="${name}"><h2>${words[name].title}</h2>${list}</section>`;
  });
  const storedNote =
    hasStored &&
    markup`<p>Rules that were published here before do not apply now. If you take over the files, they apply again, except for queries for which a file has a rule.</p>`;
  const form = writingForm(session, "/admin/rules/take-over", markup`<button>Take over</button>`);
  return {
    title: "Search rules",
    status: errors.length === 0 ? 200 : 422,
    body: markup`${notice}${alerts}<section class="panel"><p>The rules in the store's <code>search/</code> folder apply, and are edited there. To edit rules here, take them over: they are moved into the database, and the folder is renamed.</p>${storedNote}${form}</section>${sections}`,
  };
}

function lineWithLanguage({ section, line }: ShownLine): Markup {
  return markup`<code class="grow">${line}</code>${section !== "[all]" && markup`<span class="badge">${section.slice(1, -1)}</span>`}`;
}

function holds(lines: readonly ShownLine[], { section, line }: ShownLine): boolean {
  return lines.some((one) => one.section === section && one.line === line);
}

interface Words {
  readonly title: string;
  readonly query: string;
  readonly value: string;
  readonly hint: string;
}

const words: Readonly<Record<RulesName, Words>> = {
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

function kind(
  shop: ConsoleShop,
  { session }: ConsoleVisit,
  name: RulesName,
  lines: readonly ShownLine[],
  rejected: RejectedRule | undefined,
): Markup {
  const { title, query, value, hint } = words[name];
  const rows = lines.map(({ section, line }) => {
    const hidden = markup`<input type="hidden" name="name" value="${name}"><input type="hidden" name="section" value="${section}"><input type="hidden" name="remove" value="${line}">`;
    return markup`<li class="row">${lineWithLanguage({ section, line })}${writingForm(session, "/admin/rules", [hidden, markup`<button class="plain" aria-label="Remove ${line}">Remove</button>`])}</li>`;
  });
  const submitted = (field: string): string => textIn(rejected?.form[field], 1_000);
  const input = (field: string, label: string, type: string, isRequired: boolean): Markup =>
    markup`<div class="${type === "text" ? "grow" : ""}"><label for="${name}-${field}">${label}</label><input id="${name}-${field}" name="${field}" type="${type}" value="${submitted(field)}"${isRequired ? markup` required` : ""} aria-describedby="${name}-hint"></div>`;
  const { locales } = shop.config;
  const languages =
    locales.others.length > 0 &&
    name !== "synonyms" &&
    markup`<div><label for="${name}-locale">Language</label><select id="${name}-locale" name="locale"><option value="">All languages</option>${[locales.default, ...locales.others].map((one) => markup`<option${one === submitted("locale") ? markup` selected` : ""}>${one}</option>`)}</select></div>`;
  const fields = markup`<input type="hidden" name="name" value="${name}">
${rejected && markup`<p class="fault" role="alert">${rejected.error}</p>`}
<div class="row">${input("query", query, "text", true)}${input("value", value, "text", name !== "synonyms")}${name === "boosts" && input("points", "Points", "number", false)}${input("from", "From", "date", false)}${input("until", "Until", "date", false)}${languages}<button>Add to ${title.toLowerCase()}</button></div>
<p class="muted" id="${name}-hint">${hint}</p>`;
  return markup`<section class="panel" id="${name}"><h2>${title}</h2>${rows.length > 0 && markup`<ul class="plain-list">${rows}</ul>`}${writingForm(session, "/admin/rules", fields)}<p><a href="/admin/rules/export/${name}.txt">Download active rules</a></p></section>`;
}

function localeIn({ config }: ConsoleShop, form: Readonly<Record<string, unknown>>): string | undefined {
  return [config.locales.default, ...config.locales.others].find((one) => one === form.locale);
}

function contextOf({ config }: ConsoleShop): RuleContext {
  return { locales: [config.locales.default, ...config.locales.others], parsePath: parseSameStorePath };
}

function revisionIn(form: Readonly<Record<string, unknown>>): number {
  return typeof form.revision === "string" && /^\d{1,15}$/.test(form.revision) ? Number(form.revision) : -1;
}

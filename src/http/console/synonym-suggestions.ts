import { normalize } from "@vitrine/search";
import type { SynonymSuggestion } from "../../console/console.ts";
import { parseRulesFile } from "../../predictive-search/rules/parse-search-rules.ts";
import type { RuleTexts } from "../../predictive-search/rules/rule-texts.ts";
import { Problem } from "../../problem.ts";
import { type ConsoleServices, type ConsoleVisit, type FormVisit, limitFieldText, renderForm } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";
import { addRule } from "./rule-forms.ts";

/** Maximum number of suggestions on a page. */
const MAX_SUGGESTIONS = 20;

/**
 * Renders suggested synonyms, which are derived from shoppers' searches. Omits those that the rules already contain.
 * @param rules the rules of the draft, or of the rule files
 * @param isEditable whether a suggestion can be added to the rules
 */
export async function renderSuggestions(
  shop: ConsoleServices,
  { session, texts }: ConsoleVisit,
  rules: RuleTexts,
  isEditable: boolean,
): Promise<Markup | false> {
  const isSynonym = createSynonymLookup(shop, rules);
  const suggestions = await shop.console.synonymSuggestions.list(MAX_SUGGESTIONS);
  const items = suggestions
    .filter((suggestion) => !isSynonym(suggestion))
    .map(({ locale, from, to, shoppers }) => {
      const line = `${from} => ${to}`;
      const hiddenFields = [
        ["locale", locale],
        ["from", from],
        ["to", to],
      ].map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`);
      const [addLabel, dismissText] = [texts.get("rules.addToDraft"), texts.get("actions.dismiss")];
      const formatLabel = (action: string): string => texts.get("actions.named", { action, name: line });
      const acceptButton =
        isEditable &&
        markup`<button name="accept" value="true" aria-label="${formatLabel(addLabel)}">${addLabel}</button>`;
      const buttons = markup`${acceptButton} <button class="plain" aria-label="${formatLabel(dismissText)}">${dismissText}</button>`;
      return markup`<li class="row"><div class="grow"><code lang="${locale}">${line}</code> <small class="muted">${texts.get("labels.shoppers", { count: shoppers })}</small></div>${renderForm(session, "/admin/rules/suggestions", [hiddenFields, buttons])}</li>`;
    });
  return (
    items.length > 0 &&
    markup`<section class="panel" id="suggested"><h2>${texts.get("rules.suggested")}</h2><p>${texts.get("rules.suggestedHint")}</p><ul class="plain-list">${items}</ul></section>`
  );
}

/** Handles `POST /admin/rules/suggestions`: adds a suggested synonym to the draft, or dismisses it. */
export async function answerSuggestion(shop: ConsoleServices, { form }: FormVisit): Promise<string> {
  const [locale, from, to] = [limitFieldText(form.locale), limitFieldText(form.from), limitFieldText(form.to)];
  if (form.accept === undefined) {
    await shop.console.synonymSuggestions.dismiss({ locale, from, to });
    return "/admin/rules?done=dismissed";
  }
  if (shop.console.readFolderRules() !== undefined) return "/admin/rules?done=files";
  const draft = await shop.console.drafts.readDraftRules();
  const line = `${from} => ${to}`;
  const texts = addRule(draft.texts, { name: "synonyms", line }, undefined, shop.config.locales);
  if (typeof texts === "string") throw new Problem("bad_request", texts);
  const isSaved = await shop.console.drafts.save(texts, draft.revision);
  return `/admin/rules?done=${isSaved ? "added" : "changed"}&kind=synonyms`;
}

/** Returns a function that reports whether the rules already define the word `to` as a synonym of the word `from`. */
function createSynonymLookup(
  shop: ConsoleServices,
  texts: RuleTexts,
): (suggestion: Pick<SynonymSuggestion, "from" | "to">) => boolean {
  const rules = parseRulesFile("synonyms", texts.synonyms, shop.config.locales, () => {});
  const groups = [...rules, ...shop.config.search.synonyms.map((from) => ({ from, to: undefined }))].map(
    ({ from, to }) => ({ from: new Set(from.map(normalize)), to: new Set((to ?? from).map(normalize)) }),
  );
  return ({ from, to }) => groups.some((group) => group.from.has(from) && group.to.has(to));
}

import { findPlaceholders, isUnfinishedTemplate, type Page, templatePageHandles } from "../../../catalog/content.ts";
import { readRow } from "../../../catalog/rows/parse-row.ts";
import { formatAddressLines } from "../../../checkout/checkout-snapshot.ts";
import { getMessages } from "../../../messages/messages.ts";
import { truncateText } from "../../../runtime/truncate-text.ts";
import { changeCatalog } from "../../catalog-batch.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  limitFieldText,
  renderForm,
} from "../console-page.ts";
import { getChangeSource } from "../console-session.ts";
import { explainScope, renderNotice } from "../console-texts.ts";
import { type Markup, markup } from "../markup.ts";

/** Maximum length of the text that replaces a placeholder. */
const MAX_LENGTH = 10_000;

/** Renders a form with the placeholders of the policy pages. An answer replaces its placeholder on all pages. */
export async function renderPoliciesForm(
  shop: ConsoleServices,
  { request, session, texts }: ConsoleVisit,
): Promise<Markup> {
  const isDone = request.query.get("done") === "policies";
  const pages = await readTemplatePages(shop);
  const placeholders = [...new Set(pages.flatMap(({ content }) => findPlaceholders(content)))];
  const canEdit = session.token.scopes.includes("catalog:write");
  const settings = listSettingTexts(shop);
  const fields = placeholders.map((placeholder, index) => {
    const names = pages.filter(({ content }) => content.includes(placeholder)).map(({ title }) => title);
    return markup`<div><label for="placeholder-${index}">${placeholder.slice(2, -2)}</label><textarea id="placeholder-${index}" name="placeholders[${index}]" rows="2" maxlength="${MAX_LENGTH}" aria-describedby="placeholder-${index}-pages">${settings[placeholder]}</textarea><input type="hidden" name="names[${index}]" value="${placeholder}"><div class="muted" id="placeholder-${index}-pages">${texts.formatList(names)}</div></div>`;
  });
  const links = pages.map((page) => {
    const { handle, title } = page;
    return isUnfinishedTemplate(page)
      ? markup`<li class="muted">${title}</li>`
      : markup`<li><a href="/pages/${handle}">${title}</a></li>`;
  });
  const form =
    placeholders.length > 0 &&
    (canEdit
      ? renderForm(
          session,
          "/admin/settings/policies",
          [fields, markup`<button>${texts.get("actions.save")}</button>`],
          "stack",
        )
      : markup`<p class="muted">${explainScope(texts, "catalog:write")}</p>`);
  return markup`<section class="panel" id="policies"><h2>${texts.get("setup.policies")}</h2>${isDone && renderNotice(texts, "notices.saved")}<p>${texts.get(placeholders.length > 0 ? "settings.placeholders" : "settings.policiesComplete")}</p><ul class="choice">${links}</ul>${form}</section>`;
}

/** Returns the settings that placeholders of new stores ask for, by placeholder in the shop's language. */
function listSettingTexts({ config }: Pick<ConsoleServices, "config">): Readonly<Record<string, string | undefined>> {
  const { contact, invoices, locales } = config;
  const messages = getMessages(locales.default);
  const { address = {} } = contact;
  const addressLines = formatAddressLines(address, locales.default);
  return {
    [`[[${messages("policies.company")}]]`]: address.company,
    [`[[${messages("policies.address")}]]`]: (address.address1 ?? "") === "" ? undefined : addressLines.join("\n"),
    [`[[${messages("fields.email")}]]`]: contact.email,
    [`[[${messages("policies.phone")}]]`]: contact.phone,
    [`[[${messages("invoice.vatId")}]]`]: invoices.vatId,
  };
}

/** Handles `POST /admin/settings/policies`: replaces placeholders of the policy pages by the answers of the form. */
export async function changePolicies(
  shop: ConsoleServices,
  { form, session, request }: FormVisit,
): Promise<ConsolePage | string> {
  const answers = Object.entries(Object(form.placeholders)).flatMap(([index, answer]) => {
    const name: unknown = Object(form.names)[index];
    const text = typeof answer === "string" ? truncateText(answer.trim(), MAX_LENGTH) : "";
    return typeof name === "string" && findPlaceholders(name).length === 1 && text !== ""
      ? [[name, toHtml(text)] as const]
      : [];
  });
  const pages = await readTemplatePages(shop);
  const lines = pages.flatMap(({ id, content, revision }, line) => {
    const newContent = answers.reduce((text, [name, html]) => text.replaceAll(name, () => html), content);
    const value = { patch: { kind: "page", id, content: newContent } };
    return newContent === content ? [] : [{ line, value, revisions: [revision] }];
  });
  if (lines.length > 0) await changeCatalog(shop, lines, { ...getChangeSource(session), now: request.now });
  return "/admin/settings?done=policies";
}

/** Reads the stored policy pages and the page about the shop, in the order of their handles. */
export async function readTemplatePages({
  management,
}: Pick<ConsoleServices, "management">): Promise<readonly (Page & { readonly revision: number })[]> {
  const rows = await awaitWithDeadline(management.records.find("page", "handle", templatePageHandles));
  return rows
    .map(({ json, revision }) => ({ ...readRow("page", json), revision }))
    .toSorted((a, b) => templatePageHandles.indexOf(a.handle) - templatePageHandles.indexOf(b.handle));
}

/** Converts typed text to HTML with line breaks. */
function toHtml(text: string): string {
  return markup`${limitFieldText(text.replaceAll(/\r?\n/g, "\u2028"), MAX_LENGTH)}`.text.replaceAll("\u2028", "<br>");
}

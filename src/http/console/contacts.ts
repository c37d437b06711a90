import type { ConsoleMessageKey } from "../../console/console-messages.ts";
import { formFieldNames } from "../../messages/form-fields.ts";
import { readPage } from "../read-page.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, parseNumber } from "./console-page.ts";
import { renderPageLinks } from "./console-texts.ts";
import { markup } from "./markup.ts";

/** Number of messages on a page. */
const CONTACTS_PER_PAGE = 30;

/** Renders `GET /admin/contacts`: messages from the contact forms, newest first. */
export async function renderContacts(shop: ConsoleServices, { request, texts }: ConsoleVisit): Promise<ConsolePage> {
  const start = parseNumber(request.query.get("before"));
  const { items: contacts, lastItem } = await readPage(CONTACTS_PER_PAGE, (limit) =>
    shop.console.reports.listContacts(limit, start),
  );
  const list = contacts.map(({ id, kind, email, locale, page, fields, sentAt, approvedAt }) => {
    const details = Object.entries(fields).map(([name, value]) => {
      const key = fieldNames.get(name);
      const label = key === undefined ? markup`<bdi>${name}</bdi>` : texts.get(key);
      return markup`<div><dt>${label}</dt><dd class="text" lang="${locale}" dir="auto">${value}</dd></div>`;
    });
    const approvalHint =
      kind === "comment" &&
      approvedAt === undefined &&
      markup`<p class="muted">${texts.render("contacts.approve", { command: markup`<code>vitrine contacts --approve ${id}</code>` })}</p>`;
    const kindName = kindNames.get(kind);
    const origin = texts.render("contacts.sent", {
      time: texts.renderTime(sentAt, shop.config.timezone),
      page: markup`<bdi>${page}</bdi>`,
    });
    return markup`<li class="panel"><h2><bdi>${email === "" ? texts.get("contacts.noEmail") : email}</bdi> <span class="badge">${kindName === undefined ? kind : texts.get(kindName)}</span></h2><p class="muted">${origin}</p>${details.length > 0 && markup`<dl>${details}</dl>`}${approvalHint}</li>`;
  });
  const pageLinks = renderPageLinks(texts, {
    next: lastItem && `/admin/contacts?before=${lastItem.sentAt}`,
  });
  const mainContent =
    list.length === 0
      ? markup`<p class="muted">${texts.get("contacts.noneYet")}</p>`
      : markup`<ul class="plain-list">${list}</ul>`;
  return { title: texts.get("nav.contacts"), body: markup`${mainContent}${pageLinks}` };
}

const fieldNames: ReadonlyMap<string, ConsoleMessageKey> = new Map([...formFieldNames, ["phone", "policies.phone"]]);

const kindNames: ReadonlyMap<string, ConsoleMessageKey> = new Map([
  ["message", "contacts.message"],
  ["newsletter", "contacts.newsletter"],
  ["comment", "contacts.comment"],
]);

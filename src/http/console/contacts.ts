import { raceDeadline } from "../deadline.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, renderTime } from "./console-page.ts";
import { markup } from "./markup.ts";

/** Number of messages on a page. */
const CONTACTS_PER_PAGE = 30;

/** Renders `GET /admin/contacts`: messages from the contact forms, newest first. */
export async function renderContacts(shop: ConsoleServices, { request }: ConsoleVisit): Promise<ConsolePage> {
  const cursor = request.query.get("before") ?? "";
  const start = /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined;
  const results = await raceDeadline(shop.console.reports.listContacts(CONTACTS_PER_PAGE + 1, start));
  const contacts = results.slice(0, CONTACTS_PER_PAGE);
  const list = contacts.map(({ id, kind, email, locale, page, fields, sentAt, approvedAt }) => {
    const details = Object.entries(fields).map(
      ([name, value]) => markup`<div><dt>${name}</dt><dd class="text" lang="${locale}">${value}</dd></div>`,
    );
    const approvalHint =
      kind === "comment" &&
      approvedAt === undefined &&
      markup`<p class="muted">Run <code>vitrine contacts --approve ${id}</code> to publish this comment.</p>`;
    return markup`<li class="panel"><h2>${email === "" ? "No email" : email} <span class="badge">${kind}</span></h2><p class="muted">${renderTime(sentAt, shop.config.timezone)}, on ${page}</p>${details.length > 0 && markup`<dl>${details}</dl>`}${approvalHint}</li>`;
  });
  const olderLink =
    results.length > CONTACTS_PER_PAGE &&
    markup`<p><a href="/admin/contacts?before=${contacts.at(-1)?.sentAt}">Older messages</a></p>`;
  const mainContent =
    list.length === 0
      ? markup`<p class="muted">No messages${start === undefined ? " yet" : ""}.</p>`
      : markup`<ul class="plain-list">${list}</ul>`;
  return { title: "Messages", body: markup`${mainContent}${olderLink}` };
}

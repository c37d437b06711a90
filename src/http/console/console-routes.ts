import { createSlots } from "../../runtime/slots.ts";
import type { Handler, Route } from "../route.ts";
import type { Reply } from "../wire/reply.ts";
import { productDetails, productList } from "./catalog.ts";
import { type ConsolePage, type ConsoleShop, type ConsoleVisit, consoleRead, consoleWrite } from "./console-page.ts";
import { contactList } from "./contacts.ts";
import { login, loginPage, logout } from "./login.ts";
import { orderDetails, orderList } from "./orders.ts";
import { replayDraft } from "./replay.ts";
import { changeRules, discardRules, exportRules, publishRules, rulesPage, takeOverRules } from "./rules.ts";
import { overview, searchList } from "./searches.ts";
import { consoleFile, eventList, systemPage } from "./system.ts";
import { trySearch } from "./try-search.ts";

/** Returns the routes of the merchant's pages under `/admin`. */
export function consoleRoutes(shop: ConsoleShop): readonly Route[] {
  const at = (path: string, methods: Route["methods"]): Route => ({
    path,
    format: "page",
    methods,
    isUnprefixed: true,
  });
  const reads = (read: (shop: ConsoleShop, visit: ConsoleVisit) => Promise<ConsolePage | Reply>): Handler =>
    consoleRead(shop, (visit) => read(shop, visit));
  const writes = (
    write: (
      shop: ConsoleShop,
      visit: Parameters<Parameters<typeof consoleWrite>[1]>[0],
    ) => Promise<ConsolePage | string>,
  ): Handler => consoleWrite(shop, (visit) => write(shop, visit));
  // Rules in files are edited in the files, so these forms need rules in the database.
  const editsRules: typeof writes = (write) =>
    writes(async (...visit) => (shop.console.fileRules() === undefined ? write(...visit) : "/admin/rules?done=files"));
  const replays = { slots: createSlots({ name: "draft_previews", capacity: 1 }), retryAfter: 5 };
  return [
    at("/admin", { GET: reads(overview) }),
    at("/admin/login", { GET: loginPage(shop), POST: login(shop) }),
    at("/admin/logout", { POST: logout(shop) }),
    at("/admin/searches", { GET: reads(searchList) }),
    at("/admin/try", { GET: reads(trySearch) }),
    at("/admin/rules", { GET: reads(rulesPage), POST: editsRules(changeRules) }),
    at("/admin/rules/replay", { POST: editsRules((_, visit) => replayDraft(shop, replays, visit)) }),
    at("/admin/rules/publish", { POST: editsRules(publishRules) }),
    at("/admin/rules/discard", { POST: editsRules(discardRules) }),
    at("/admin/rules/take-over", { POST: writes(takeOverRules) }),
    at("/admin/rules/export/:file", { GET: reads((_, { request }) => exportRules(shop, request)) }),
    at("/admin/products", { GET: reads(productList) }),
    at("/admin/products/:handle", { GET: reads(productDetails) }),
    at("/admin/orders", { GET: reads(orderList) }),
    at("/admin/orders/:number", { GET: reads(orderDetails) }),
    at("/admin/contacts", { GET: reads(contactList) }),
    at("/admin/events", { GET: reads(eventList) }),
    at("/admin/system", { GET: reads(systemPage) }),
    at("/admin/console.css", { GET: consoleFile("console.css") }),
    at("/admin/console.js", { GET: consoleFile("console.js") }),
  ];
}

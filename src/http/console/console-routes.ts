import { createSlots } from "../../runtime/slots.ts";
import type { Handler, Route } from "../route.ts";
import type { Reply } from "../wire/reply.ts";
import { productDetails, productList } from "./catalog.ts";
import {
  type ConsolePage,
  type ConsoleShop,
  type ConsoleVisit,
  createFormHandler,
  createPageHandler,
} from "./console-page.ts";
import { contactList } from "./contacts.ts";
import { showInvoice } from "./invoice.ts";
import { login, loginPage, logout } from "./login.ts";
import { changeOrder, orderDetails } from "./order.ts";
import { orderList } from "./orders.ts";
import { packingSlip } from "./packing-slip.ts";
import { replayDraft } from "./replay.ts";
import { changeRules, discardRules, exportRules, publishRules, rulesPage, takeOverRules } from "./rules.ts";
import { endRulesTest, startRulesTest } from "./rules-test.ts";
import { overview, searchList } from "./searches.ts";
import { decideSuggestion } from "./synonym-suggestions.ts";
import { consoleFile, eventList, systemPage } from "./system.ts";
import { trySearch } from "./try-search.ts";

/** Returns the routes of the merchant's pages under `/admin`. */
export function consoleRoutes(shop: ConsoleShop): readonly Route[] {
  const createRoute = (path: string, methods: Route["methods"]): Route => ({
    path,
    format: "page",
    methods,
    isUnprefixed: true,
  });
  const createReadHandler = (
    render: (shop: ConsoleShop, visit: ConsoleVisit) => Promise<ConsolePage | Reply>,
  ): Handler => createPageHandler(shop, (visit) => render(shop, visit));
  const createWriteHandler = (
    write: (
      shop: ConsoleShop,
      visit: Parameters<Parameters<typeof createFormHandler>[1]>[0],
    ) => Promise<ConsolePage | string>,
  ): Handler => createFormHandler(shop, (visit) => write(shop, visit));
  // These forms change only rules in the database. If the shop has rule files, the rules must be edited in the files.
  const createRuleHandler: typeof createWriteHandler = (write) =>
    createWriteHandler(async (...visit) =>
      shop.console.readFileRules() === undefined ? write(...visit) : "/admin/rules?done=files",
    );
  const replayLimit = { slots: createSlots({ name: "draft_previews", capacity: 1 }), retryAfter: 5 };
  return [
    createRoute("/admin", { GET: createReadHandler(overview) }),
    createRoute("/admin/login", { GET: loginPage(shop), POST: login(shop) }),
    createRoute("/admin/logout", { POST: logout(shop) }),
    createRoute("/admin/searches", { GET: createReadHandler(searchList) }),
    createRoute("/admin/try", { GET: createReadHandler(trySearch) }),
    createRoute("/admin/rules", { GET: createReadHandler(rulesPage), POST: createRuleHandler(changeRules) }),
    createRoute("/admin/rules/replay", {
      POST: createRuleHandler((_, visit) => replayDraft(shop, replayLimit, visit)),
    }),
    createRoute("/admin/rules/suggestions", { POST: createWriteHandler(decideSuggestion) }),
    createRoute("/admin/rules/test", { POST: createRuleHandler(startRulesTest) }),
    createRoute("/admin/rules/test/end", { POST: createRuleHandler(endRulesTest) }),
    createRoute("/admin/rules/publish", { POST: createRuleHandler(publishRules) }),
    createRoute("/admin/rules/discard", { POST: createRuleHandler(discardRules) }),
    createRoute("/admin/rules/take-over", { POST: createWriteHandler(takeOverRules) }),
    createRoute("/admin/rules/export/:file", {
      GET: createReadHandler((_, { request }) => exportRules(shop, request)),
    }),
    createRoute("/admin/products", { GET: createReadHandler(productList) }),
    createRoute("/admin/products/:handle", { GET: createReadHandler(productDetails) }),
    createRoute("/admin/orders", { GET: createReadHandler(orderList) }),
    createRoute("/admin/orders/:number", {
      GET: createReadHandler(orderDetails),
      POST: createWriteHandler(changeOrder),
    }),
    createRoute("/admin/orders/:number/packing-slip", { GET: createReadHandler(packingSlip) }),
    createRoute("/admin/orders/:number/invoices/:invoice", { GET: createReadHandler(showInvoice) }),
    createRoute("/admin/contacts", { GET: createReadHandler(contactList) }),
    createRoute("/admin/events", { GET: createReadHandler(eventList) }),
    createRoute("/admin/system", { GET: createReadHandler(systemPage) }),
    createRoute("/admin/console.css", { GET: consoleFile("console.css") }),
    createRoute("/admin/console.js", { GET: consoleFile("console.js") }),
  ];
}

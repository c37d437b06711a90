import { createJobSlots } from "../../runtime/slots.ts";
import type { TokenScope } from "../../security/api-token.ts";
import { FIRST_LOGIN_PATH } from "../../security/first-login.ts";
import type { Handler, Route } from "../route.ts";
import { type Reply, redirect } from "../wire/reply.ts";
import { showChanges } from "./catalog/changes.ts";
import { changeDiscounts, showDiscounts } from "./catalog/discounts.ts";
import { changeProduct, showProductDetails } from "./catalog/product.ts";
import { changeProducts, showProductList } from "./catalog/products.ts";
import { downloadCsv, showCsvPage, uploadCsv } from "./catalog/products-csv.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  createConsoleHandler,
  createFormHandler,
  createPageHandler,
  type FormVisit,
  type LoginVisit,
} from "./console-page.ts";
import { requireScope } from "./console-session.ts";
import { renderContacts } from "./contacts.ts";
import { createFirstToken, showFirstLogin } from "./first-login.ts";
import { showHome } from "./home.ts";
import { chooseLanguage } from "./language-menu.ts";
import { login, loginWithCode, logout, showLogin } from "./login.ts";
import { changeOrder, showInvoice, showOrderDetails } from "./orders/order.ts";
import { downloadOrders, showOrderList } from "./orders/orders.ts";
import { showPackingSlip } from "./orders/packing-slip.ts";
import { replayDraft } from "./replay.ts";
import { showReports } from "./reports.ts";
import { changeRules, discardDraft, exportRules, publishFolderRules, publishRules, showRules } from "./rules.ts";
import { endRulesTest, startRulesTest } from "./rules-test.ts";
import { showSearches } from "./searches.ts";
import { changePolicies } from "./settings/policies.ts";
import { changeSettings, sendTestEmail, showSettings } from "./settings/settings.ts";
import { answerSuggestion } from "./synonym-suggestions.ts";
import { createConsoleFileHandler, renderEvents, showSystem } from "./system.ts";
import { trySearch } from "./try-search.ts";

/** Returns the routes of the merchant's pages under `/admin`. */
export function listConsoleRoutes(shop: ConsoleServices): readonly Route[] {
  const createRoute = (path: string, methods: Route["methods"]): Route => ({
    path,
    format: "page",
    methods,
    isUnprefixed: true,
    // A login, and a change of the language, return to the page of a form, which may be the response to another form.
    linkHandler: ({ path }) => redirect(303, path.slice(0, path.lastIndexOf("/"))),
  });
  /** Returns the route of a form that changes the shop. */
  const createFormRoute = (
    path: string,
    readPage: Parameters<typeof createReadHandler>[0],
    write: Parameters<typeof createWriteHandler>[0],
    formScopes: readonly [TokenScope, ...TokenScope[]],
  ): Route => ({
    ...createRoute(path, {
      GET: createReadHandler(readPage),
      POST: createWriteHandler((...args) => {
        const { session } = args[1];
        const scope = formScopes.find((name) => session.token.scopes.includes(name)) ?? formScopes[0];
        requireScope(session, scope);
        return write(...args);
      }),
    }),
    formScopes,
  });
  const createLoginHandler = (handle: PageFunction<LoginVisit, ConsolePage | Reply>): Handler =>
    createConsoleHandler(shop, (visit) => handle(shop, visit));
  const createReadHandler = (render: PageFunction<ConsoleVisit, ConsolePage | Reply>): Handler =>
    createPageHandler(shop, (visit) => render(shop, visit));
  const createWriteHandler = (write: PageFunction<FormVisit, ConsolePage | string>): Handler =>
    createFormHandler(shop, (visit) => write(shop, visit));
  // These forms change only rules in the database. If the shop has rule files, the rules must be edited in the files.
  const createRuleHandler: typeof createWriteHandler = (write) =>
    createWriteHandler(async (...visit) =>
      shop.console.readFolderRules() === undefined ? write(...visit) : "/admin/rules?done=files",
    );
  const replayLimit = { jobSlots: createJobSlots({ name: "draft_previews", capacity: 1 }), retryAfter: 5 };
  return [
    createRoute("/admin", { GET: createReadHandler(showHome) }),
    createRoute("/admin/reports", { GET: createReadHandler(showReports) }),
    createRoute("/admin/login", { GET: createLoginHandler(showLogin), POST: createLoginHandler(login) }),
    createRoute("/admin/login/code", { POST: createLoginHandler(loginWithCode) }),
    createRoute(FIRST_LOGIN_PATH, {
      GET: createLoginHandler(showFirstLogin),
      POST: createLoginHandler(createFirstToken),
    }),
    createRoute("/admin/language", { POST: createLoginHandler(chooseLanguage) }),
    createRoute("/admin/logout", { POST: createLoginHandler(logout) }),
    createRoute("/admin/searches", { GET: createReadHandler(showSearches) }),
    createRoute("/admin/try", { GET: createReadHandler(trySearch) }),
    createRoute("/admin/rules", { GET: createReadHandler(showRules), POST: createRuleHandler(changeRules) }),
    createRoute("/admin/rules/replay", {
      POST: createRuleHandler((_, visit) => replayDraft(shop, replayLimit, visit)),
    }),
    createRoute("/admin/rules/suggestions", { POST: createWriteHandler(answerSuggestion) }),
    createRoute("/admin/rules/test", { POST: createRuleHandler(startRulesTest) }),
    createRoute("/admin/rules/test/end", { POST: createRuleHandler(endRulesTest) }),
    createRoute("/admin/rules/publish", { POST: createRuleHandler(publishRules) }),
    createRoute("/admin/rules/discard", { POST: createRuleHandler(discardDraft) }),
    createRoute("/admin/rules/take-over", { POST: createWriteHandler(publishFolderRules) }),
    createRoute("/admin/rules/export/:file", {
      GET: createReadHandler((_, { request }) => exportRules(shop, request)),
    }),
    createFormRoute("/admin/products", showProductList, changeProducts, catalogScopes),
    createFormRoute("/admin/products/:handle", showProductDetails, changeProduct, catalogScopes),
    createFormRoute("/admin/csv", showCsvPage, uploadCsv, catalogScopes),
    createRoute("/admin/csv/products.csv", { GET: createReadHandler(downloadCsv) }),
    createFormRoute("/admin/discounts", showDiscounts, changeDiscounts, ["catalog:write"]),
    createFormRoute("/admin/settings", showSettings, changeSettings, ["settings:write"]),
    createFormRoute("/admin/settings/test-email", showSettings, sendTestEmail, ["settings:write"]),
    createFormRoute("/admin/settings/policies", showSettings, changePolicies, ["catalog:write"]),
    createRoute("/admin/changes", { GET: createReadHandler(showChanges) }),
    createRoute("/admin/orders", { GET: createReadHandler(showOrderList) }),
    createRoute("/admin/orders/export.csv", { GET: createReadHandler(downloadOrders) }),
    createFormRoute("/admin/orders/:number", showOrderDetails, changeOrder, ["orders:write"]),
    createRoute("/admin/orders/:number/packing-slip", { GET: createReadHandler(showPackingSlip) }),
    createRoute("/admin/orders/:number/invoices/:invoice", { GET: createReadHandler(showInvoice) }),
    createRoute("/admin/contacts", { GET: createReadHandler(renderContacts) }),
    createRoute("/admin/events", { GET: createReadHandler(renderEvents) }),
    createRoute("/admin/system", { GET: createReadHandler(showSystem) }),
    createRoute("/admin/console.css", { GET: createConsoleFileHandler("console.css") }),
    createRoute("/admin/console.js", { GET: createConsoleFileHandler("console.js") }),
  ];
}

/** Function that handles a request to a page of the console. */
type PageFunction<Visit, Result> = (shop: ConsoleServices, visit: Visit) => Promise<Result>;

/** Prices and publication require the first scope, and stock the second one. */
const catalogScopes = ["catalog:write", "stock:write"] as const;

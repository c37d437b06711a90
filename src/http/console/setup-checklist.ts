import { type Catalog, readEntries } from "../../catalog/catalog.ts";
import { isUnfinishedTemplate, type Page } from "../../catalog/content.ts";
import type { Product, Variant } from "../../catalog/product.ts";
import { isAvailable } from "../../catalog/stock.ts";
import { TEST_ORDER_DAYS } from "../../checkout/order.ts";
import type { SetupProblems } from "../../console/console.ts";
import { capitalize } from "../../runtime/capitalize.ts";
import { formatTestOrderPath } from "../../security/test-order-link.ts";
import { awaitWithDeadline } from "../deadline.ts";
import type { ConsoleServices, ConsoleVisit } from "./console-page.ts";
import { type ConsoleTexts, markEnglish } from "./console-texts.ts";
import { type Markup, type MarkupValue, markup } from "./markup.ts";
import { describeMailProblem } from "./settings/mail-server-field.ts";
import { readTemplatePages } from "./settings/policies.ts";
import { getFieldId } from "./settings/setting-fields.ts";
import { getFieldLabel } from "./settings/settings.ts";

/** An item of the setup checklist. */
export interface SetupItem {
  readonly title: string;
  readonly isDone: boolean;
  /** Instruction for the next step. If the item is done, a sentence that confirms it. */
  readonly text: MarkupValue;
  /** Path of a console page. */
  readonly link?: readonly [path: string, name: string];
}

/** Checks what a shop needs before its first sale. */
export async function checkSetup(shop: ConsoleServices, visit: ConsoleVisit): Promise<readonly SetupItem[]> {
  const [problems, pages, orders] = await Promise.all([
    shop.console.readSetupProblems(),
    readTemplatePages(shop),
    awaitWithDeadline(shop.checkouts.orders.list({ limit: 1 })),
  ]);
  const { texts } = visit;
  return [
    checkProducts(shop, texts, problems),
    checkAddress(shop, texts),
    linkToSettings(texts, "shipping", [
      texts.get("mails.delivery"),
      problems.hasNoRates && texts.get("setup.noRates"),
      texts.get("setup.shippingDone"),
    ]),
    checkPayment(shop, texts, problems),
    linkToSettings(texts, "email", [
      texts.get("setup.emails"),
      shop.config.mail.smtp === undefined ? texts.get("setup.noMail") : describeMailProblem(texts, problems.mail),
      texts.get("setup.emailDone"),
    ]),
    checkPolicies(pages, texts),
    checkFirstOrder(shop, visit, orders.length > 0),
    checkDomain(shop, texts, problems),
  ];
}

/** Renders the checklist. Items that are done are marked by text, not by color only. */
export function renderChecklist(texts: ConsoleTexts, items: readonly SetupItem[]): Markup {
  const rows = items.map(
    ({ title, isDone, text, link }) =>
      markup`<li class="row check"><span class="badge${isDone && " badge--done"}">${texts.get(isDone ? "setup.done" : "setup.toDo")}</span><div class="grow"><strong>${title}</strong><br>${text}${link !== undefined && markup` <a href="${link[0]}">${link[1]}</a>`}</div></li>`,
  );
  return markup`<ul class="plain-list">${rows}</ul>`;
}

type ItemTexts = readonly [title: string, problem: MarkupValue, doneText: MarkupValue];

function createSetupItem(...[title, problem, doneText]: ItemTexts): SetupItem {
  const isDone = problem === undefined || problem === false;
  return { title, isDone, text: isDone ? doneText : problem };
}

function linkToSettings(texts: ConsoleTexts, section: string, itemTexts: ItemTexts): SetupItem {
  return { ...createSetupItem(...itemTexts), link: [`/admin/settings#${section}`, texts.get("nav.settings")] };
}

function checkProducts({ snapshot }: ConsoleServices, texts: ConsoleTexts, { exampleSkus }: SetupProblems): SetupItem {
  const { catalog } = snapshot();
  const count = catalog.numbers("product").length;
  const hasExamples = exampleSkus.some((sku) => catalog.variantsBySku(sku).some(({ product }) => product.published));
  const isDone = count > 0 && !hasExamples;
  const imageHost = findRemoteImageHost(catalog);
  const imageText =
    imageHost !== undefined &&
    texts.render("setup.remoteImages", {
      host: markup`<bdi>${imageHost}</bdi>`,
      command: markup`<code>vitrine import FILE --fetch-images</code>`,
    });
  return {
    title: texts.get("nav.products"),
    isDone,
    text: isDone
      ? [texts.get("setup.productsDone", { count }), " ", imageText]
      : count === 0
        ? texts.render("setup.noProducts", { command: markup`<code>vitrine import</code>` })
        : texts.render("setup.exampleProducts", { command: markup`<code>vitrine import --prune</code>` }),
    link: ["/admin/products", texts.get("nav.products")],
  };
}

/** Returns the host of an image on another server, among the first products of the catalog. */
function findRemoteImageHost(catalog: Catalog): string | undefined {
  for (const { images } of readFirstProducts(catalog)) {
    for (const { src } of images) {
      const host = /^(?:https?:)?\/\/([^/]+)/i.exec(src)?.[1];
      if (host !== undefined) return host;
    }
  }
  return undefined;
}

function checkAddress({ config: { name, contact } }: ConsoleServices, texts: ConsoleTexts): SetupItem {
  const { address1, city, country } = contact.address ?? {};
  const missingFields = [
    ...(name === DEFAULT_NAME ? ["name"] : []),
    ...Object.entries({
      "contact.email": contact.email,
      "contact.address.address1": address1,
      "contact.address.city": city,
      "contact.address.country": country,
    }).flatMap(([setting, value]) => (value === undefined ? [setting] : [])),
  ];
  return linkToSettings(texts, "shop", [
    texts.get("setup.address"),
    describeMissingFields(texts, missingFields),
    texts.render("setup.addressDone", { name: markup`<bdi>${name}</bdi>` }),
  ]);
}

/** Name of a shop without the setting `name`. */
const DEFAULT_NAME = "My shop";

/** Links to the fields of missing settings.  @param paths paths of settings, such as "invoices.vatId or invoices.iban" */
function describeMissingFields(texts: ConsoleTexts, paths: readonly string[]): MarkupValue {
  const links = paths.map((path, index) => {
    const alternatives = path.split(" or ");
    const labels = alternatives.map((name) => getFieldLabel(texts, name));
    const id = getFieldId(String(alternatives[0]));
    return markup`${index > 0 && ", "}<a href="/admin/settings#${id}">${texts.formatList(labels, "disjunction")}</a>`;
  });
  return links.length > 0 && texts.render("setup.missing", { fields: links });
}

function checkPayment(
  { config: { checkout }, hooks }: ConsoleServices,
  texts: ConsoleTexts,
  { hasUndecidedInvoices, missingInvoiceSettings }: SetupProblems,
): SetupItem {
  const title = texts.get("setup.payment");
  if (checkout.handoffUrl !== undefined) return createSetupItem(title, undefined, texts.get("setup.ownCheckout"));
  if (hooks.payment === undefined && !checkout.invoice && !checkout.bankTransfer)
    return linkToSettings(texts, "payment", [title, texts.get("setup.noPayment"), ""]);
  const methods = [
    ...(hooks.payment === undefined ? [] : [texts.get("setup.provider")]),
    ...(checkout.invoice ? [texts.get("setup.invoice")] : []),
    ...(checkout.bankTransfer ? [texts.get("setup.bankTransfer")] : []),
  ];
  const missingFields = describeMissingFields(texts, missingInvoiceSettings);
  return linkToSettings(texts, hasUndecidedInvoices || missingFields !== false ? "invoices" : "payment", [
    title,
    hasUndecidedInvoices ? texts.get("setup.chooseInvoices") : missingFields,
    texts.get("setup.paymentDone", { methods: texts.formatList(methods, "disjunction") }),
  ]);
}

function checkDomain(
  { config: { origin = "" } }: ConsoleServices,
  texts: ConsoleTexts,
  { proxy }: SetupProblems,
): SetupItem {
  const isPublicUrl = /^https:\/\/(?!localhost\b|127\.)/.test(origin);
  return linkToSettings(texts, "domain", [
    texts.get("setup.domain"),
    isPublicUrl ? translateWarning(texts, proxy && toSentence(proxy)) : texts.get("setup.originMissing"),
    texts.render("setup.domainDone", { url: markup`<bdi>${origin}</bdi>` }),
  ]);
}

const requiredPolicies = ["privacy-policy", "refund-policy", "shipping-policy", "terms-of-service"] as const;

function checkPolicies(pages: readonly Page[], texts: ConsoleTexts): SetupItem {
  const publishedPages = pages.filter(({ published }) => published);
  const missingPages = requiredPolicies.filter((name) => !publishedPages.some(({ handle }) => handle === name));
  const incompletePages = publishedPages.filter(isUnfinishedTemplate);
  const steps = [
    missingPages.length > 0 &&
      texts.render("setup.policiesMissing", {
        handles: markup`<code>${missingPages.join(", ")}</code>`,
        handle: markup`<code>legal-notice</code>`,
      }),
    missingPages.length > 0 && " ",
    incompletePages.length > 0 &&
      texts.render("setup.placeholders", {
        placeholder: "[[…]]",
        handles: markup`<bdi>${texts.formatList(incompletePages.map(({ title }) => title))}</bdi>`,
      }),
  ];
  const isIncomplete = missingPages.length + incompletePages.length > 0;
  const itemTexts = [texts.get("setup.policies"), isIncomplete && steps, texts.get("setup.policiesDone")] as const;
  return linkToSettings(texts, "policies", itemTexts);
}

/** @param isDone whether the shop has an order */
function checkFirstOrder(shop: ConsoleServices, { request, session, texts }: ConsoleVisit, isDone: boolean): SetupItem {
  const { id, scopes } = session.token;
  const canPlaceTestOrder = scopes.includes("orders:write") && shop.config.checkout.handoffUrl === undefined;
  const variant = canPlaceTestOrder ? findAvailableVariant(shop) : undefined;
  const doneText = texts.get("setup.orderDone");
  const title = texts.get("setup.firstOrder");
  if (variant === undefined)
    return {
      ...{ title, isDone },
      text: isDone ? doneText : texts.get("setup.buyOnce"),
      link: isDone ? ["/admin/orders", texts.get("nav.orders")] : ["/", texts.get("setup.openShop")],
    };
  return {
    ...{ title, isDone },
    text: [
      isDone ? doneText : texts.get("setup.testOrder"),
      " ",
      texts.get("setup.testOrderHint", { count: TEST_ORDER_DAYS }),
    ],
    link: [formatTestOrderPath(shop.keys, variant, id, request.now), texts.get("setup.placeTestOrder")],
  };
}

/** Returns a variant to order, among the first products of the catalog. */
function findAvailableVariant({ snapshot }: ConsoleServices): Variant | undefined {
  return readFirstProducts(snapshot().catalog)
    .map(({ variants }) => variants.find(isAvailable))
    .find((variant) => variant !== undefined);
}

/** Reads the first products of the catalog. */
function readFirstProducts(catalog: Catalog): Generator<Product> {
  return readEntries(catalog, "product", catalog.numbers("product").subarray(0, MAX_TESTED_PRODUCTS));
}

/** Maximum number of products that are decoded for a check. */
const MAX_TESTED_PRODUCTS = 100;

function translateWarning(texts: ConsoleTexts, warning: string | undefined): MarkupValue {
  return warning === undefined ? undefined : (texts.translate(warning) ?? markEnglish(warning));
}

/** Converts a warning of `vitrine check` to a sentence.  @param text warning that may start with a setting's name */
function toSentence(text: string): string {
  const start = /^\w+\.\w/.test(text) ? `The setting ${text}` : capitalize(text);
  return `${start.replace(/\.$/, "")}.`;
}

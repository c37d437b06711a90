import type { Catalog } from "../../catalog/catalog.ts";
import { findPlaceholders } from "../../catalog/content.ts";
import type { Variant } from "../../catalog/product.ts";
import { isAvailable } from "../../catalog/stock.ts";
import { TEST_ORDER_DAYS } from "../../checkout/order.ts";
import type { SetupProblems } from "../../console/console.ts";
import { formatTestOrderPath } from "../../security/test-order-link.ts";
import { policyHandles } from "../../theme/objects/content/policy.ts";
import { raceDeadline } from "../deadline.ts";
import type { ConsoleServices, ConsoleVisit } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";

/** An item of the setup checklist. */
export interface SetupItem {
  readonly title: string;
  readonly isDone: boolean;
  /** Instruction for the next step. If the item is done, a sentence that confirms it. */
  readonly text: string;
  /** Path of a console page. */
  readonly link?: readonly [path: string, name: string];
}

/** Checks what a shop needs before its first sale. */
export async function checkSetup(shop: ConsoleServices, visit: ConsoleVisit): Promise<readonly SetupItem[]> {
  const [problems, orders] = await Promise.all([
    shop.console.readSetupProblems(),
    raceDeadline(shop.checkouts.orders.list({ limit: 1 })),
  ]);
  return [
    checkProducts(shop, problems),
    checkAddress(shop),
    createSetupItem("Shipping", problems.shipping && toSentence(problems.shipping), "Shipping rates are set."),
    checkPayment(shop, problems),
    createSetupItem("Email", problems.mail, "The mail server accepts email."),
    checkDomain(shop, problems),
    checkPolicies(shop),
    checkFirstOrder(shop, visit, orders.length > 0),
  ];
}

/** Renders the checklist. Items that are done are marked by text, not by color only. */
export function renderChecklist(items: readonly SetupItem[]): Markup {
  const rows = items.map(
    ({ title, isDone, text, link }) =>
      markup`<li class="row check"><span class="badge${isDone && " badge--done"}">${isDone ? "Done" : "To do"}</span><div class="grow"><strong>${title}</strong><br>${text}${link !== undefined && markup` <a href="${link[0]}">${link[1]}</a>`}</div></li>`,
  );
  return markup`<ul class="plain-list">${rows}</ul>`;
}

function createSetupItem(title: string, problem: string | undefined, doneText: string): SetupItem {
  return { title, isDone: problem === undefined, text: problem ?? doneText };
}

function checkProducts({ snapshot }: ConsoleServices, { exampleSkus }: SetupProblems): SetupItem {
  const { catalog } = snapshot();
  const count = catalog.numbers("product").length;
  const hasExamples = exampleSkus.some((sku) => catalog.variantsBySku(sku).some(({ product }) => product.published));
  const isDone = count > 0 && !hasExamples;
  const imageHost = findRemoteImageHost(catalog);
  const imageText =
    imageHost === undefined
      ? ""
      : ` Images come from ${imageHost}. Before you close a shop there, copy them with "vitrine import FILE --fetch-images".`;
  return {
    title: "Products",
    isDone,
    text: isDone
      ? `${count} ${count === 1 ? "product is" : "products are"} published.${imageText}`
      : count === 0
        ? 'Import your products with "vitrine import".'
        : 'The shop still shows example products. Import yours with "vitrine import --prune", or unpublish the examples.',
    link: ["/admin/products", "Products"],
  };
}

/** Returns the host of an image on another server, among the first products of the catalog. */
function findRemoteImageHost(catalog: Catalog): string | undefined {
  for (const number of catalog.numbers("product").subarray(0, MAX_TESTED_PRODUCTS)) {
    const entry = catalog.entry(number);
    const images = entry?.kind === "product" ? entry.images : [];
    for (const { src } of images) {
      const host = /^(?:https?:)?\/\/([^/]+)/i.exec(src)?.[1];
      if (host !== undefined) return host;
    }
  }
  return undefined;
}

function checkAddress({ config: { name, contact } }: ConsoleServices): SetupItem {
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
  return createSetupItem(
    "Name and address",
    missingFields.length === 0 ? undefined : `Set ${missingFields.join(", ")} in vitrine.config.ts.`,
    `The shop is called ${name}.`,
  );
}

/** Name of a shop without the setting `name`. */
const DEFAULT_NAME = "My shop";

function checkPayment({ config: { checkout }, hooks }: ConsoleServices, { invoices }: SetupProblems): SetupItem {
  if (checkout.handoffUrl !== undefined)
    return createSetupItem("Payment", undefined, "Your own checkout takes payments.");
  if (hooks.payment === undefined && !checkout.invoice)
    return createSetupItem("Payment", "Set checkout.invoice to true, or add a payment hook.", "");
  const methods = [
    ...(hooks.payment === undefined ? [] : ["a payment provider"]),
    ...(checkout.invoice ? ["invoice"] : []),
  ];
  return createSetupItem(
    "Payment",
    checkout.invoice && invoices !== undefined ? toSentence(invoices) : undefined,
    `Customers pay by ${methods.join(" or ")}.`,
  );
}

function checkDomain({ config: { origin } }: ConsoleServices, { proxy }: SetupProblems): SetupItem {
  const isPublicUrl = origin !== undefined && /^https:\/\/(?!localhost\b|127\.)/.test(origin);
  return createSetupItem(
    "Domain",
    isPublicUrl ? proxy && toSentence(proxy) : "Set origin in vitrine.config.ts to the public https URL of the shop.",
    `The shop is at ${origin ?? ""}.`,
  );
}

const requiredPolicies = ["privacy-policy", "refund-policy", "shipping-policy", "terms-of-service"] as const;

function checkPolicies({ snapshot }: ConsoleServices): SetupItem {
  const { catalog } = snapshot();
  const missingPages = requiredPolicies.filter((handle) => catalog.page(handle) === undefined);
  const unfilledHandles = [...policyHandles, "about"].filter(
    (handle) => findPlaceholders(catalog.page(handle)?.content ?? "").length > 0,
  );
  const steps = [
    ...(missingPages.length === 0
      ? []
      : [`Add pages with the handles ${missingPages.join(", ")}. Some countries also require legal-notice.`]),
    ...(unfilledHandles.length === 0
      ? []
      : [`Replace the placeholders [[…]] of the pages ${unfilledHandles.join(", ")}.`]),
  ];
  return createSetupItem(
    "Policies",
    steps.length === 0 ? undefined : steps.join(" "),
    "The shop has pages for privacy, refunds, shipping, and terms.",
  );
}

/** @param isDone whether the shop has an order */
function checkFirstOrder(shop: ConsoleServices, { request, session }: ConsoleVisit, isDone: boolean): SetupItem {
  const { id, scopes } = session.token;
  const canTest = scopes.includes("orders:write") && shop.config.checkout.handoffUrl === undefined;
  const variant = canTest ? findAvailableVariant(shop) : undefined;
  const doneText = "The shop has received an order.";
  const title = "First order";
  if (variant === undefined)
    return {
      ...{ title, isDone },
      text: isDone
        ? doneText
        : "Buy something in your shop as a customer, and check the emails. Then cancel the order, so that its stock returns.",
      link: isDone ? ["/admin/orders", "Orders"] : ["/", "Open shop"],
    };
  const testOrderText = `A test order takes no stock and no invoice number, and is deleted after ${TEST_ORDER_DAYS} days.`;
  return {
    ...{ title, isDone },
    text: isDone
      ? `${doneText} ${testOrderText}`
      : `Place a test order as a customer, and check its page and emails. ${testOrderText}`,
    link: [formatTestOrderPath(shop.keys, variant, id, request.now), "Place a test order"],
  };
}

/** Returns a variant to order, among the first products of the catalog. */
function findAvailableVariant({ snapshot }: ConsoleServices): Variant | undefined {
  const { catalog } = snapshot();
  for (const number of catalog.numbers("product").subarray(0, MAX_TESTED_PRODUCTS)) {
    const entry = catalog.entry(number);
    const variant = entry?.kind === "product" ? entry.variants.find(isAvailable) : undefined;
    if (variant !== undefined) return variant;
  }
  return undefined;
}

/** Maximum number of products that are decoded for a check. */
const MAX_TESTED_PRODUCTS = 100;

/** Converts a warning of `vitrine check` to a sentence.  @param text warning that may start with a setting's name */
function toSentence(text: string): string {
  const start = /^\w+\.\w/.test(text) ? `The setting ${text}` : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return `${start.replace(/\.$/, "")}.`;
}

import { readRow } from "../../../catalog/rows/parse-row.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import type { Discount } from "../../../pricing/discount.ts";
import { isWithinDates } from "../../../pricing/discount-rules.ts";
import { Problem } from "../../../problem.ts";
import { changeCatalog } from "../../catalog-batch.ts";
import { readPage } from "../../read-page.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  parseNumber,
  renderForm,
  renderRejection,
} from "../console-page.ts";
import { getChangeSource } from "../console-session.ts";
import { type ConsoleTexts, explainScope, renderNotice, renderPageLinks } from "../console-texts.ts";
import { type Markup, type MarkupValue, markup } from "../markup.ts";
import { createDiscount, type DiscountChange, renderCreateForm } from "./discount-form.ts";

/** Number of discounts on a page. */
const DISCOUNTS_PER_PAGE = 50;

type Form = Readonly<Record<string, unknown>>;

/** Handles `POST /admin/discounts`: creates or ends a discount. */
export async function changeDiscounts(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { request, session, texts, form } = visit;
  try {
    const line =
      form.operation === "create"
        ? createDiscount(shop, form, texts.language)
        : form.operation === "end"
          ? expireDiscount(form, request.now)
          : undefined;
    if (line === undefined) throw new Problem("bad_request", "Unknown operation.");
    await changeCatalog(shop, [{ line: 0, ...line }], {
      ...getChangeSource(session),
      now: request.now,
    });
    return `/admin/discounts?done=${String(form.operation)}`;
  } catch (error) {
    return renderRejection(texts, error, (alert) => showDiscounts(shop, visit, alert, form), {
      catalog_changed: texts.get(form.operation === "create" ? "discount.exists" : "discount.outdated"),
    });
  }
}

const notices: ReadonlyMap<string, ConsoleMessageKey> = new Map([
  ["create", "discount.created"],
  ["end", "discount.ended"],
]);

/** @throws Problem `bad_request` */
function expireDiscount({ id, revision }: Form, now: number): DiscountChange {
  const storedRevision = parseNumber(revision);
  if (typeof id !== "string" || storedRevision === undefined)
    throw new Problem("bad_request", "The discount is missing.");
  const patch = { kind: "discount", id, ends_at: new Date(now).toISOString() };
  return { value: { patch }, revisions: [storedRevision] };
}

/** Renders `GET /admin/discounts`: discounts, with forms to create and end them. */
export async function showDiscounts(
  shop: ConsoleServices,
  visit: ConsoleVisit,
  notice: MarkupValue = renderNotice(visit.texts, notices.get(visit.request.query.get("done") ?? "")),
  submittedForm: Form = {},
): Promise<ConsolePage> {
  const { request, session, texts } = visit;
  const after = parseNumber(request.query.get("after"));
  const { items, lastItem } = await readPage(DISCOUNTS_PER_PAGE, (limit) =>
    shop.management.records.list("discount", { after, limit }),
  );
  const end = texts.get("actions.end");
  const canEdit = session.token.scopes.includes("catalog:write");
  const lines = items.map(({ json, revision }) => {
    const discount = readRow("discount", json);
    const status = getStatusKey(discount, request.now);
    const expiryForm =
      canEdit &&
      status !== "discount.isEnded" &&
      renderForm(
        session,
        "/admin/discounts",
        markup`<input type="hidden" name="id" value="${discount.id}"><input type="hidden" name="revision" value="${revision}"><button class="plain" name="operation" value="end" aria-label="${texts.get("actions.named", { action: end, name: discount.code ?? discount.title })}">${end}</button>`,
      );
    return markup`<tr><th scope="row"><bdi>${discount.code ?? texts.get("discount.automatic")}</bdi>${discount.title !== discount.code && markup`<div class="muted"><bdi>${discount.title}</bdi></div>`}</th><td>${describeTerms(texts, discount, shop.config.currency)}</td><td><span class="badge">${texts.get(status)}</span><div class="muted">${renderDates(texts, discount, shop.config.timezone)}</div></td><td>${expiryForm}</td></tr>`;
  });
  const list =
    lines.length === 0
      ? markup`<p class="muted" role="status">${texts.get("discount.none")}</p>`
      : markup`<table class="entries"><thead><tr><th scope="col">${texts.get("mails.discount")}</th><th scope="col">${texts.get("labels.value")}</th><th scope="col">${texts.get("labels.status")}</th><th scope="col"><span class="hidden">${texts.get("actions")}</span></th></tr></thead><tbody>${lines}</tbody></table>`;
  const pageLinks = renderPageLinks(texts, { next: lastItem && `/admin/discounts?after=${lastItem.position}` });
  const form = canEdit
    ? renderCreateForm(shop, visit, submittedForm)
    : markup`<p class="muted">${explainScope(texts, "catalog:write")}</p>`;
  return { title: texts.get("nav.discounts"), body: markup`${notice}${list}${pageLinks}${form}` };
}

function getStatusKey(discount: Discount, now: number): "discount.active" | "discount.scheduled" | "discount.isEnded" {
  if (isWithinDates(discount, now)) return "discount.active";
  return discount.startsAt !== undefined && now < Date.parse(discount.startsAt)
    ? "discount.scheduled"
    : "discount.isEnded";
}

function describeTerms(
  texts: ConsoleTexts,
  { minimumSubtotal, products, collections, usageLimit, customerLimit, combines, ...promotion }: Discount,
  currency: string,
): string {
  const handles = [...collections, ...products].join(", ");
  const amount = texts.formatMoney(minimumSubtotal, currency);
  return [
    describePromotion(texts, promotion, currency),
    ...(minimumSubtotal > 0 ? [texts.get("discount.fromAmount", { amount })] : []),
    ...(handles === "" ? [] : [texts.get("discount.for", { handles })]),
    ...(usageLimit === undefined ? [] : [texts.get("discount.maxUses", { count: usageLimit })]),
    ...(customerLimit === undefined ? [] : [texts.get("discount.maxForEach", { count: customerLimit })]),
    ...(combines === false ? [texts.get("discount.notCombined")] : []),
  ].join(", ");
}

function describePromotion(
  texts: ConsoleTexts,
  {
    valueType,
    value,
    quantityBreaks = [],
    buy,
    get,
  }: Pick<Discount, "valueType" | "value" | "quantityBreaks" | "buy" | "get">,
  currency: string,
): string {
  if (valueType === "free_shipping") return texts.get("discount.freeShipping");
  const formatPercentage = (percentage: number): string =>
    texts.formatNumber(percentage / 100, { style: "percent", maximumFractionDigits: 4 });
  if (valueType === "buy_x_get_y") {
    const boughtHandles = [...(buy?.products ?? []), ...(buy?.collections ?? [])].join(", ");
    const quantity = texts.formatNumber(buy?.quantity ?? 1);
    const values = {
      buy: boughtHandles === "" ? quantity : texts.get("discount.quantityOf", { quantity, handles: boughtHandles }),
      get: texts.formatNumber(get?.quantity ?? 1),
    };
    return get?.percentage === 100
      ? texts.get("discount.buyGet", values)
      : texts.get("discount.buyGetReduced", { ...values, percent: formatPercentage(get?.percentage ?? 0) });
  }
  const formatValue = (amount: number): string =>
    texts.get("discount.off", {
      value: valueType === "percentage" ? formatPercentage(amount) : texts.formatMoney(amount, currency),
    });
  return quantityBreaks.length === 0
    ? formatValue(value)
    : quantityBreaks
        .map((entry) => texts.get("discount.fromUnits", { value: formatValue(entry.value), count: entry.quantity }))
        .join(", ");
}

function renderDates(texts: ConsoleTexts, { startsAt, endsAt }: Discount, timezone: string): MarkupValue {
  const renderTime = (text: string): Markup => texts.renderTime(Date.parse(text), timezone);
  return [
    startsAt !== undefined && texts.render("discount.fromTime", { time: renderTime(startsAt) }),
    " ",
    endsAt !== undefined && texts.render("discount.untilTime", { time: renderTime(endsAt) }),
  ];
}

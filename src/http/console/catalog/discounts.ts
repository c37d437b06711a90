import { readRow } from "../../../catalog/rows/parse-row.ts";
import type { Discount } from "../../../pricing/discount.ts";
import { isWithinDates } from "../../../pricing/discount-rules.ts";
import { formatMoney } from "../../../pricing/money.ts";
import { Problem } from "../../../problem.ts";
import { changeCatalog } from "../../catalog-batch.ts";
import { raceDeadline } from "../../deadline.ts";
import { errorStatuses } from "../../error-responses.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  renderForm,
  renderTime,
} from "../console-page.ts";
import { explainScope, getChangeSource } from "../console-session.ts";
import { type Markup, type MarkupValue, markup } from "../markup.ts";
import { createDiscount, type DiscountChange, renderCreateForm } from "./discount-form.ts";

/** Number of discounts on a page. */
const DISCOUNTS_PER_PAGE = 50;

type Form = Readonly<Record<string, unknown>>;

/** Renders `GET /admin/discounts`: discounts, with forms to create and end them. */
export async function showDiscounts(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const notice = notices[visit.request.query.get("done") ?? ""];
  return renderPage(shop, visit, notice && markup`<p class="done" role="status">${notice}</p>`);
}

/** Handles `POST /admin/discounts`: creates or ends a discount. */
export async function changeDiscounts(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { request, session, form } = visit;
  try {
    const line =
      form.operation === "create"
        ? createDiscount(shop, form)
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
    if (!(error instanceof Problem)) throw error;
    const message =
      error.code === "catalog_changed"
        ? form.operation === "create"
          ? "A discount with this code already exists. Choose another code."
          : "Someone else changed this discount. This is the current version."
        : error.message;
    const alert = markup`<p class="fault" role="alert">${message}</p>`;
    return { ...(await renderPage(shop, visit, alert, form)), status: errorStatuses[error.code][0] };
  }
}

const notices: Readonly<Record<string, string>> = {
  create: "Discount created. It applies within seconds.",
  end: "Discount ended.",
};

/** @throws Problem `bad_request` */
function expireDiscount({ id, revision }: Form, now: number): DiscountChange {
  if (typeof id !== "string" || typeof revision !== "string" || !/^\d{1,15}$/.test(revision))
    throw new Problem("bad_request", "The discount is missing.");
  const patch = { kind: "discount", id, ends_at: new Date(now).toISOString() };
  return { value: { patch }, revisions: [Number(revision)] };
}

async function renderPage(
  shop: ConsoleServices,
  { request, session }: ConsoleVisit,
  notice?: Markup | string,
  submittedForm: Form = {},
): Promise<ConsolePage> {
  const pageCursor = request.query.get("after") ?? "";
  const rows = await raceDeadline(
    shop.management.records.list("discount", {
      limit: DISCOUNTS_PER_PAGE + 1,
      ...(/^\d{1,15}$/.test(pageCursor) ? { after: Number(pageCursor) } : {}),
    }),
  );
  const canEdit = session.token.scopes.includes("catalog:write");
  const lines = rows.slice(0, DISCOUNTS_PER_PAGE).flatMap(({ json, revision }) => {
    const discount = readRow("discount", json);
    if (discount.kind !== "discount") return [];
    const status = statusOf(discount, request.now);
    const expiryForm =
      canEdit &&
      status !== "Ended" &&
      renderForm(
        session,
        "/admin/discounts",
        markup`<input type="hidden" name="id" value="${discount.id}"><input type="hidden" name="revision" value="${revision}"><button class="plain" name="operation" value="end" aria-label="End ${discount.code ?? discount.title}">End</button>`,
      );
    return [
      markup`<tr><th scope="row">${discount.code ?? "Automatic"}${discount.title !== discount.code && markup`<div class="muted">${discount.title}</div>`}</th><td>${describeTerms(discount, shop.config.currency)}</td><td><span class="badge">${status}</span><div class="muted">${renderDates(discount, shop.config.timezone)}</div></td><td>${expiryForm}</td></tr>`,
    ];
  });
  const list =
    lines.length === 0
      ? markup`<p class="muted" role="status">No discounts yet.</p>`
      : markup`<table><thead><tr><th scope="col">Discount</th><th scope="col">Value</th><th scope="col">Status</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead><tbody>${lines}</tbody></table>`;
  const nextPageLink =
    rows.length > DISCOUNTS_PER_PAGE &&
    markup`<p><a href="/admin/discounts?after=${rows[DISCOUNTS_PER_PAGE - 1]?.position}">More discounts</a></p>`;
  const form = canEdit
    ? renderCreateForm(shop, { request, session }, submittedForm)
    : markup`<p class="muted">${explainScope("catalog:write")}</p>`;
  return { title: "Discounts", body: markup`${notice}${list}${nextPageLink}${form}` };
}

function statusOf(discount: Discount, now: number): "Active" | "Scheduled" | "Ended" {
  if (isWithinDates(discount, now)) return "Active";
  return discount.startsAt !== undefined && now < Date.parse(discount.startsAt) ? "Scheduled" : "Ended";
}

function describeTerms(
  { minimumSubtotal, products, collections, usageLimit, customerLimit, combines, ...promotion }: Discount,
  currency: string,
): string {
  return [
    describePromotion(promotion, currency),
    ...(minimumSubtotal > 0 ? [`from ${formatMoney(minimumSubtotal, currency, "en")}`] : []),
    ...([...products, ...collections].length > 0 ? [`for ${[...collections, ...products].join(", ")}`] : []),
    ...(usageLimit === undefined ? [] : [`at most ${usageLimit} uses`]),
    ...(customerLimit === undefined ? [] : [`at most ${customerLimit} for each customer`]),
    ...(combines === false ? ["not with other discounts"] : []),
  ].join(", ");
}

function describePromotion(
  {
    valueType,
    value,
    quantityBreaks = [],
    buy,
    get,
  }: Pick<Discount, "valueType" | "value" | "quantityBreaks" | "buy" | "get">,
  currency: string,
): string {
  if (valueType === "free_shipping") return "Free shipping";
  if (valueType === "buy_x_get_y") {
    const boughtHandles = [...(buy?.products ?? []), ...(buy?.collections ?? [])].join(", ");
    const reward = get?.percentage === 100 ? "free" : `at ${get?.percentage}% off`;
    return `Buy ${buy?.quantity}${boughtHandles === "" ? "" : ` of ${boughtHandles}`}, get ${get?.quantity} ${reward}`;
  }
  const formatValue = (amount: number): string =>
    `${valueType === "percentage" ? `${amount}%` : formatMoney(amount, currency, "en")} off`;
  return quantityBreaks.length === 0
    ? formatValue(value)
    : quantityBreaks.map((entry) => `${formatValue(entry.value)} from ${entry.quantity} units`).join(", ");
}

function renderDates({ startsAt, endsAt }: Discount, timezone: string): MarkupValue {
  return [
    startsAt !== undefined && markup`from ${renderTime(Date.parse(startsAt), timezone)} `,
    endsAt !== undefined && markup`until ${renderTime(Date.parse(endsAt), timezone)}`,
  ];
}

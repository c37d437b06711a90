import { readRow } from "../../../catalog/rows/parse-row.ts";
import { addDays, createDayConverter, isDay } from "../../../catalog/rows/zoned-dates.ts";
import type { Discount } from "../../../pricing/discount.ts";
import { isWithinDates } from "../../../pricing/discount-rules.ts";
import { formatMoney, parseMoney } from "../../../pricing/money.ts";
import { fieldProblem, Problem } from "../../../problem.ts";
import { changeCatalog } from "../../catalog-batch.ts";
import { withDeadline } from "../../deadline.ts";
import { errorStatuses } from "../../error-responses.ts";
import {
  type ConsolePage,
  type ConsoleShop,
  type ConsoleVisit,
  type FormVisit,
  limitFieldText,
  renderForm,
  renderTime,
} from "../console-page.ts";
import { explainScope, getChangeSource } from "../console-session.ts";
import { type Markup, type MarkupValue, markup } from "../markup.ts";

/** Number of discounts on a page. */
const DISCOUNTS_PER_PAGE = 50;

type Form = Readonly<Record<string, unknown>>;

/** Renders `GET /admin/discounts`: discounts, with forms to create and end them. */
export async function showDiscounts(shop: ConsoleShop, visit: ConsoleVisit): Promise<ConsolePage> {
  const notice = notices[visit.request.query.get("done") ?? ""];
  return renderPage(shop, visit, notice && markup`<p class="done" role="status">${notice}</p>`);
}

/** Handles `POST /admin/discounts`: creates or ends a discount. */
export async function changeDiscounts(shop: ConsoleShop, visit: FormVisit): Promise<ConsolePage | string> {
  const { request, session, form } = visit;
  try {
    const line =
      form.operation === "create"
        ? createDiscount(shop, form)
        : form.operation === "end"
          ? endDiscount(form, request.now)
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

interface DiscountChange {
  readonly value: Readonly<Record<string, unknown>>;
  readonly revisions: readonly number[];
}

/** @throws Problem `validation_failed` */
function createDiscount({ config, process }: ConsoleShop, form: Form): DiscountChange {
  const { currency, timezone } = config;
  const code = limitFieldText(form.code, 255);
  const title = limitFieldText(form.title, 255);
  if (code === "" && title === "") throw fieldProblem("title", "required", "Enter a code, or a title.");
  const isPercentage = form.value_type === "percentage";
  const valueText = limitFieldText(form.value, 30);
  const value = isPercentage
    ? /^\d{1,3}(?:\.\d{1,4})?$/.test(valueText) && Number(valueText) <= 100
      ? Number(valueText)
      : undefined
    : parseMoney(valueText, currency);
  if (value === undefined || value === 0)
    throw fieldProblem(
      "value",
      "format",
      isPercentage ? "Enter a percentage such as 10." : "Enter an amount such as 5.00.",
    );
  const minimum = limitFieldText(form.minimum_subtotal, 30);
  const minimumSubtotal = minimum === "" ? undefined : parseMoney(minimum, currency);
  if (minimum !== "" && minimumSubtotal === undefined)
    throw fieldProblem("minimum_subtotal", "format", "Enter the minimum order as an amount such as 50.00.");
  const limit = limitFieldText(form.usage_limit, 10);
  if (limit !== "" && !/^[1-9]\d{0,8}$/.test(limit))
    throw fieldProblem("usage_limit", "integer", "Enter the number of uses as a whole number, from 1.");
  const collections = limitFieldText(form.collections, 1_000)
    .split(/[\s,]+/)
    .filter(Boolean);
  const row = {
    ...{ kind: "discount", value_type: isPercentage ? "percentage" : "fixed_amount", value },
    // A code identifies the discount, so that a second one with the same code is rejected.
    ...(code === "" ? { id: process.newId() } : { code }),
    ...(title === "" ? {} : { title }),
    ...(minimumSubtotal === undefined ? {} : { minimum_subtotal: minimumSubtotal }),
    ...renderDate("starts_at", form.starts_on, timezone, 0),
    ...renderDate("ends_at", form.ends_on, timezone, 1),
    ...(collections.length === 0 ? {} : { collections }),
    ...(limit === "" ? {} : { usage_limit: Number(limit) }),
  };
  return { value: row, revisions: [0] };
}

/** @param addedDays 1 for the field `ends_at`, because the discount also applies on its last day */
function renderDate(
  name: string,
  value: unknown,
  timezone: string,
  addedDays: number,
): Readonly<Record<string, string>> {
  const day = limitFieldText(value, 10);
  return isDay(day) ? { [name]: createDayConverter(timezone)(addDays(day, addedDays)) } : {};
}

/** @throws Problem `bad_request` */
function endDiscount({ id, revision }: Form, now: number): DiscountChange {
  if (typeof id !== "string" || typeof revision !== "string" || !/^\d{1,15}$/.test(revision))
    throw new Problem("bad_request", "The discount is missing.");
  const patch = { kind: "discount", id, ends_at: new Date(now).toISOString() };
  return { value: { patch }, revisions: [Number(revision)] };
}

async function renderPage(
  shop: ConsoleShop,
  { request, session }: ConsoleVisit,
  notice?: Markup | string,
  submittedForm: Form = {},
): Promise<ConsolePage> {
  const startAfter = request.query.get("after") ?? "";
  const rows = await withDeadline(
    shop.management.records.list("discount", {
      limit: DISCOUNTS_PER_PAGE + 1,
      ...(/^\d{1,15}$/.test(startAfter) ? { after: Number(startAfter) } : {}),
    }),
  );
  const mayEdit = session.token.scopes.includes("catalog:write");
  const lines = rows.slice(0, DISCOUNTS_PER_PAGE).flatMap(({ json, revision }) => {
    const discount = readRow("discount", json);
    if (discount.kind !== "discount") return [];
    const status = statusOf(discount, request.now);
    const endForm =
      mayEdit &&
      status !== "Ended" &&
      renderForm(
        session,
        "/admin/discounts",
        markup`<input type="hidden" name="id" value="${discount.id}"><input type="hidden" name="revision" value="${revision}"><button class="plain" name="operation" value="end" aria-label="End ${discount.code ?? discount.title}">End</button>`,
      );
    return [
      markup`<tr><th scope="row">${discount.code ?? "Automatic"}${discount.title !== discount.code && markup`<div class="muted">${discount.title}</div>`}</th><td>${describeValue(discount, shop.config.currency)}</td><td><span class="badge">${status}</span><div class="muted">${renderDates(discount, shop.config.timezone)}</div></td><td>${endForm}</td></tr>`,
    ];
  });
  const list =
    lines.length === 0
      ? markup`<p class="muted" role="status">No discounts yet.</p>`
      : markup`<table><thead><tr><th scope="col">Discount</th><th scope="col">Value</th><th scope="col">Status</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead><tbody>${lines}</tbody></table>`;
  const moreLink =
    rows.length > DISCOUNTS_PER_PAGE &&
    markup`<p><a href="/admin/discounts?after=${rows[DISCOUNTS_PER_PAGE - 1]?.position}">More discounts</a></p>`;
  const form = mayEdit
    ? renderCreateForm(shop, { request, session }, submittedForm)
    : markup`<p class="muted">${explainScope("catalog:write")}</p>`;
  return { title: "Discounts", body: markup`${notice}${list}${moreLink}${form}` };
}

function statusOf(discount: Discount, now: number): "Active" | "Scheduled" | "Ended" {
  if (isWithinDates(discount, now)) return "Active";
  return discount.startsAt !== undefined && now < Date.parse(discount.startsAt) ? "Scheduled" : "Ended";
}

function describeValue(
  { valueType, value, minimumSubtotal, products, collections, usageLimit }: Discount,
  currency: string,
): string {
  return [
    valueType === "percentage" ? `${value}% off` : `${formatMoney(value, currency, "en")} off`,
    ...(minimumSubtotal > 0 ? [`from ${formatMoney(minimumSubtotal, currency, "en")}`] : []),
    ...([...products, ...collections].length > 0 ? [`for ${[...collections, ...products].join(", ")}`] : []),
    ...(usageLimit === undefined ? [] : [`at most ${usageLimit} uses`]),
  ].join(", ");
}

function renderDates({ startsAt, endsAt }: Discount, timezone: string): MarkupValue {
  return [
    startsAt !== undefined && markup`from ${renderTime(Date.parse(startsAt), timezone)} `,
    endsAt !== undefined && markup`until ${renderTime(Date.parse(endsAt), timezone)}`,
  ];
}

function renderCreateForm({ config }: ConsoleShop, { session }: ConsoleVisit, submittedForm: Form): Markup {
  const isSubmitted = submittedForm.operation === "create";
  const getSubmittedText = (name: string): string => (isSubmitted ? limitFieldText(submittedForm[name], 1_000) : "");
  const renderInput = (name: string, label: string, attributes: Markup): Markup =>
    markup`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${getSubmittedText(name)}"${attributes}></div>`;
  const types = (
    [
      ["percentage", "Percentage"],
      ["fixed_amount", `Amount in ${config.currency}`],
    ] as const
  ).map(
    ([value, name]) =>
      markup`<option value="${value}"${value === getSubmittedText("value_type") && markup` selected`}>${name}</option>`,
  );
  return markup`<section class="panel narrow"><h2>Create discount</h2>${renderForm(
    session,
    "/admin/discounts",
    [
      renderInput("code", "Code; without one, the discount is automatic", markup` maxlength="255" autocomplete="off"`),
      renderInput("title", "Title", markup` maxlength="255"`),
      markup`<div><label for="value_type">Type</label><select id="value_type" name="value_type">${types}</select></div>`,
      renderInput("value", "Value", markup` inputmode="decimal" required maxlength="20"`),
      renderInput(
        "minimum_subtotal",
        `Minimum order in ${config.currency}`,
        markup` inputmode="decimal" maxlength="20"`,
      ),
      renderInput("starts_on", "First day", markup` type="date"`),
      renderInput("ends_on", "Last day", markup` type="date"`),
      renderInput("usage_limit", "Maximum number of uses", markup` inputmode="numeric" maxlength="9"`),
      renderInput("collections", "Handles of collections; without one, the entire cart", markup` maxlength="1000"`),
      markup`<button name="operation" value="create">Create discount</button>`,
    ],
    "stack",
  )}</section>`;
}

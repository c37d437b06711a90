import { addDays, createDayConverter, isIsoDay } from "../../../catalog/rows/zoned-dates.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { formatTypedMoney, parseTypedMoney } from "../../../pricing/money.ts";
import { createFieldProblem } from "../../../problem.ts";
import { type ConsoleServices, type ConsoleVisit, limitFieldText, renderForm } from "../console-page.ts";
import { type Markup, markup, renderOptions, renderSelect } from "../markup.ts";

type Form = Readonly<Record<string, unknown>>;

/** A new or changed row of a discount. The change is rejected if the stored row has none of the given revisions. */
export interface DiscountChange {
  readonly value: Readonly<Record<string, unknown>>;
  readonly revisions: readonly number[];
}

/**
 * Returns the row of a new discount, from the fields of the form.
 * @param language language of the user, which has a decimal mark
 * @throws Problem `validation_failed`
 */
export function createDiscount({ config, process }: ConsoleServices, form: Form, language: string): DiscountChange {
  const { currency, timezone } = config;
  const code = limitFieldText(form.code, 255);
  const title = limitFieldText(form.title, 255);
  if (code === "" && title === "") throw createFieldProblem("title", "required", "Enter a code, or a title.");
  if (code.includes(",")) throw createFieldProblem("code", "format", "A code cannot contain a comma.");
  const minSubtotalText = limitFieldText(form.minimum_subtotal, 30);
  const minimumSubtotal = minSubtotalText === "" ? undefined : parseTypedMoney(minSubtotalText, currency, language);
  if (minSubtotalText !== "" && minimumSubtotal === undefined)
    throw createFieldProblem(
      "minimum_subtotal",
      "format",
      `Enter the minimum order as an amount such as ${formatTypedMoney(5_000, currency, language)}.`,
    );
  const readLimit = (name: string): number | undefined =>
    limitFieldText(form[name], 10) === ""
      ? undefined
      : readCount(form, name, "Enter the number of uses as a whole number, from 1.");
  const [limit, customerLimit] = [readLimit("usage_limit"), readLimit("customer_limit")];
  const [collections, products] = [readHandles(form.collections), readHandles(form.products)];
  const row = {
    ...{ kind: "discount", ...readPromotion(form, { currency, language }) },
    // A code identifies the discount, so that a second one with the same code is rejected.
    ...(code === "" ? { id: process.newId() } : { code }),
    ...(title === "" ? {} : { title }),
    ...(minimumSubtotal === undefined ? {} : { minimum_subtotal: minimumSubtotal }),
    ...renderDate("starts_at", form.starts_on, timezone, 0),
    ...renderDate("ends_at", form.ends_on, timezone, 1),
    ...(collections.length === 0 ? {} : { collections }),
    ...(products.length === 0 ? {} : { products }),
    ...(limit === undefined ? {} : { usage_limit: limit }),
    ...(customerLimit === undefined ? {} : { customer_limit: customerLimit }),
    ...(form.exclusive === undefined ? {} : { combines: false }),
  };
  return { value: row, revisions: [0] };
}

/**
 * Converts the date in a form field to a time: the start of this day in the shop's time zone.
 * @param daysToAdd days to add: 1 for the field `ends_at`, because the discount also applies on its last day
 */
function renderDate(
  name: string,
  value: unknown,
  timezone: string,
  daysToAdd: number,
): Readonly<Record<string, string>> {
  const day = limitFieldText(value, 10);
  return isIsoDay(day) ? { [name]: createDayConverter(timezone)(addDays(day, daysToAdd)) } : {};
}

interface MoneyNotation {
  readonly currency: string;
  readonly language: string;
}

/** Returns the fields of a discount that depend on its type. */
function readPromotion(form: Form, notation: MoneyNotation): Readonly<Record<string, unknown>> {
  const type = form.value_type;
  if (type === "free_shipping") return { value_type: type };
  if (type === "buy_x_get_y")
    return {
      value_type: type,
      buy: { quantity: readCount(form, "buy_quantity", "Enter how many units the customer buys, from 1.") },
      get: { quantity: readCount(form, "get_quantity", "Enter how many units the customer gets, from 1.") },
    };
  const value_type = type === "percentage" ? type : "fixed_amount";
  const quantityBreaksText = limitFieldText(form.quantity_breaks, 300);
  if (quantityBreaksText === "") return { value_type, value: readValue(form.value, value_type, notation) };
  return {
    value_type,
    quantity_breaks: quantityBreaksText.split(/;|,(?=\s*\d{1,6} *:)/).map((text) => {
      const [, quantity, valueText] = /^(\d{1,6}) *: *(\S+)$/.exec(text.trim()) ?? [];
      if (quantity === undefined)
        throw createFieldProblem("quantity_breaks", "format", "Enter price breaks such as 3: 10, 10: 20.");
      return { quantity: Number(quantity), value: readValue(valueText, value_type, notation) };
    }),
  };
}

function readValue(field: unknown, type: "percentage" | "fixed_amount", { currency, language }: MoneyNotation): number {
  const text = limitFieldText(field, 30);
  const isPercentage = type === "percentage";
  const value = isPercentage
    ? /^\d{1,3}(?:[.,]\d{1,4})?$/.test(text) && Number(text.replace(",", ".")) <= 100
      ? Number(text.replace(",", "."))
      : undefined
    : parseTypedMoney(text, currency, language);
  if (value === undefined || value === 0)
    throw createFieldProblem(
      "value",
      "format",
      isPercentage
        ? "Enter a percentage such as 10."
        : `Enter an amount such as ${formatTypedMoney(500, currency, language)}.`,
    );
  return value;
}

/** @param message error message */
function readCount(form: Form, name: string, message: string): number {
  const text = limitFieldText(form[name], 10);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw createFieldProblem(name, "integer", message);
  return Number(text);
}

function readHandles(field: unknown): readonly string[] {
  return limitFieldText(field, 1_000)
    .split(/[\s,]+/)
    .filter(Boolean);
}

/** @param submittedForm fields of a rejected form */
export function renderCreateForm(
  { config }: ConsoleServices,
  { session, texts }: ConsoleVisit,
  submittedForm: Form,
): Markup {
  const isSubmitted = submittedForm.operation === "create";
  const getSubmittedText = (name: string): string => (isSubmitted ? limitFieldText(submittedForm[name], 1_000) : "");
  const { currency } = config;
  const renderInput = (name: string, label: string, attributes: Markup): Markup =>
    markup`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${getSubmittedText(name)}"${attributes}></div>`;
  const renderText = (name: string, label: ConsoleMessageKey, maxLength: number): Markup =>
    renderInput(name, texts.get(label), markup` maxlength="${maxLength}"`);
  const renderNumber = (name: string, label: ConsoleMessageKey): Markup =>
    renderInput(name, texts.get(label), markup` inputmode="numeric" maxlength="9"`);
  const types = renderOptions(
    [
      ["percentage", texts.get("discount.percentage")],
      ["fixed_amount", texts.get("order.amountIn", { currency })],
      ["free_shipping", texts.get("discount.freeShipping")],
      ["buy_x_get_y", texts.get("discount.buyXGetY")],
    ],
    getSubmittedText("value_type"),
  );
  const create = texts.get("discount.create");
  return markup`<section class="panel narrow"><h2>${create}</h2>${renderForm(
    session,
    "/admin/discounts",
    [
      renderInput("code", texts.get("discount.code"), markup` maxlength="255" autocomplete="off"`),
      renderText("title", "labels.title", 255),
      renderSelect("value_type", texts.get("labels.type"), types),
      renderInput("value", texts.get("discount.percentageOrAmount"), markup` inputmode="decimal" maxlength="20"`),
      renderInput(
        "quantity_breaks",
        texts.get("discount.breaks", { example: "3: 10, 10: 20" }),
        markup` maxlength="300" autocomplete="off"`,
      ),
      renderNumber("buy_quantity", "discount.buyQuantity"),
      renderNumber("get_quantity", "discount.getQuantity"),
      renderInput(
        "minimum_subtotal",
        texts.get("discount.minimum", { currency }),
        markup` inputmode="decimal" maxlength="20"`,
      ),
      renderInput("starts_on", texts.get("discount.firstDay"), markup` type="date"`),
      renderInput("ends_on", texts.get("discount.lastDay"), markup` type="date"`),
      renderNumber("usage_limit", "discount.usageLimit"),
      renderNumber("customer_limit", "discount.customerLimit"),
      renderText("collections", "discount.collections", 1_000),
      renderText("products", "discount.products", 1_000),
      markup`<div><label><input type="checkbox" name="exclusive" value="1"${isSubmitted && submittedForm.exclusive !== undefined && markup` checked`}> ${texts.get("discount.exclusive")}</label></div>`,
      markup`<button name="operation" value="create">${create}</button>`,
    ],
    "stack",
  )}</section>`;
}

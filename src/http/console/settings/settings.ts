import type { SavedSettings } from "../../../config/settings-editor.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { listCountryNames } from "../../../pricing/countries.ts";
import { Problem } from "../../../problem.ts";
import { errorStatuses } from "../../error-responses.ts";
import { sendTestMail } from "../../send-test-mail.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  renderForm,
} from "../console-page.ts";
import { getChangeSource } from "../console-session.ts";
import {
  type ConsoleTexts,
  describeProblem,
  explainScope,
  markEnglish,
  renderAlert,
  renderNotice,
  renderSuccess,
} from "../console-texts.ts";
import { Markup, type MarkupValue, markup } from "../markup.ts";
import { describeMailProblem, mailServerField } from "./mail-server-field.ts";
import { renderPoliciesForm } from "./policies.ts";
import {
  createFlagField,
  createPatch,
  createSelectField,
  createTextField,
  type SettingField,
  type SettingsForm,
} from "./setting-fields.ts";
import { renderFields, shippingCountriesField, shippingRatesField, taxRatesField } from "./shipping-fields.ts";

interface Section {
  /** Id of the section, which links of the setup checklist name. */
  readonly id: string;
  readonly title: ConsoleMessageKey;
  readonly fields: readonly SettingField[];
}

const sections: readonly Section[] = [
  {
    id: "shop",
    title: "setup.address",
    fields: [
      createTextField("name", "settings.shopName"),
      createTextField("contact.email", "fields.email", { type: "email", autocomplete: "email" }),
      createTextField("contact.phone", "policies.phone", { type: "tel", autocomplete: "tel" }),
      createTextField("contact.address.company", "policies.company", { autocomplete: "organization" }),
      createTextField("contact.address.address1", "settings.street", { autocomplete: "address-line1" }),
      createTextField("contact.address.address2", "settings.address2", { autocomplete: "address-line2" }),
      createTextField("contact.address.zip", "settings.zip", { autocomplete: "postal-code" }),
      createTextField("contact.address.city", "settings.city", { autocomplete: "address-level2" }),
      createTextField("contact.address.province", "settings.province", { autocomplete: "address-level1" }),
      createSelectField("contact.address.country", "settings.country", (texts) => [
        ["", "–"],
        ...listCountryNames(texts.language),
      ]),
    ],
  },
  { id: "shipping", title: "mails.delivery", fields: [shippingRatesField, shippingCountriesField] },
  {
    id: "payment",
    title: "setup.payment",
    fields: [
      createFlagField("checkout.invoice", "settings.payByInvoice"),
      createFlagField("checkout.bankTransfer", "settings.bankTransfer"),
      createFlagField("checkout.vatId", "settings.askVatId"),
    ],
  },
  {
    id: "tax",
    title: "invoice.tax",
    fields: [createFlagField("tax.pricesIncludeTax", "settings.pricesIncludeTax"), taxRatesField],
  },
  {
    id: "invoices",
    title: "settings.invoices",
    fields: [
      createSelectField(
        "invoices.issue",
        "settings.invoices",
        (texts) => [
          ["", "–"],
          ["true", texts.get("settings.issueInvoices")],
          ["false", texts.get("settings.otherInvoices")],
        ],
        (value) => value === "true",
      ),
      createTextField("invoices.name", "settings.legalName", { autocomplete: "organization" }),
      createTextField("invoices.vatId", "invoice.vatId"),
      createTextField("invoices.taxNumber", "invoice.taxNumber"),
      createTextField("invoices.accountHolder", "invoice.accountHolder"),
      createTextField("invoices.iban", markup`IBAN`),
      createTextField("invoices.bic", markup`BIC`),
      createTextField("invoices.daysUntilDue", "settings.daysUntilDue", { type: "integer" }),
      createTextField("invoices.prefix", "settings.prefix"),
      createTextField("invoices.firstNumber", "settings.firstNumber", { type: "integer" }),
      createTextField("invoices.note", "settings.invoiceNote"),
    ],
  },
  {
    id: "email",
    title: "setup.emails",
    fields: [
      mailServerField,
      createTextField("mail.from", "settings.sender", { hint: "settings.senderHint" }),
      createFlagField("mail.newOrders", "settings.newOrders"),
      createFlagField("mail.payments", "settings.paymentEmails"),
      createFlagField("mail.refundsDue", "settings.refundDueEmails"),
      createFlagField("mail.contacts", "settings.contactEmails"),
      createTextField("mail.lowStock", "settings.lowStockEmails", { type: "integer", hint: "settings.lowStockHint" }),
      createFlagField("mail.refunds", "settings.refundEmails"),
    ],
  },
  {
    id: "domain",
    title: "setup.domain",
    fields: [createTextField("origin", "settings.origin", { type: "url", hint: "settings.originHint" })],
  },
];

const fields = new Map(sections.flatMap((section) => section.fields.map((field) => [field.path, field])));

/** Returns the label of the field of a setting.  @param path path of a setting, such as "contact.email" */
export function getFieldLabel(texts: ConsoleTexts, path: string): string {
  const label = fields.get(path)?.label;
  if (label === undefined) return path;
  return label instanceof Markup ? label.text : texts.get(label);
}

/** Renders `GET /admin/settings`: the settings of the shop, with a form for each section. */
export async function showSettings(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const section = sections.find(({ id }) => id === visit.request.query.get("done"));
  const notice = section === undefined ? undefined : renderNotice(visit.texts, "notices.saved");
  return renderPage(shop, visit, { section, notice });
}

/** Handles `POST /admin/settings`: changes the settings of a section. */
export async function changeSettings(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { form, request, session } = visit;
  const section = sections.find(({ id }) => id === form.section);
  if (section === undefined) throw new Problem("bad_request", "Unknown operation.");
  try {
    const saved = await shop.management.settings.read();
    const changes = section.fields.flatMap((field) => field.read(form, saved, shop.config, visit.texts.language));
    await shop.management.settings.change(createPatch(changes), {
      by: getChangeSource(session).by,
      revisions: [String(form.revision)],
      now: request.now,
    });
    return `/admin/settings?done=${section.id}`;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isOutdated = error.code === "settings_changed";
    const notice = renderAlert(describeRejection(visit, error));
    const errors = new Map(
      error.fields.map(({ field, message }) => [
        field,
        message.startsWith(`${field} `) ? message.slice(field.length + 1) : message,
      ]),
    );
    const page = await renderPage(shop, visit, { section, notice, errors, ...(isOutdated ? {} : { submitted: form }) });
    return { ...page, status: errorStatuses[error.code][0] };
  }
}

/** Handles `POST /admin/settings/test-email`: sends a test email to the merchant, and shows the server's answer. */
export async function sendTestEmail(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage> {
  const { request, session, texts } = visit;
  const { to, isAccepted, answer, problem } = await sendTestMail(shop, request, getChangeSource(session).by);
  const values = {
    address: markup`<bdi>${to}</bdi>`,
    answer: markup`${markEnglish(answer)} ${describeMailProblem(texts, problem)}`,
  };
  const mailNotice = isAccepted
    ? renderSuccess(texts.render("settings.testMailSent", values))
    : renderAlert(texts.render("settings.testMailFailed", values));
  return renderPage(shop, visit, { mailNotice });
}

function renderTestMailForm(
  { config: { mail, contact } }: ConsoleServices,
  visit: ConsoleVisit,
  notice?: Markup,
): MarkupValue {
  const { texts, session } = visit;
  if (mail.smtp === undefined || !session.token.scopes.includes("settings:write")) return notice;
  const address = markup`<bdi>${contact.email ?? mail.from}</bdi>`;
  return markup`${notice}${renderForm(session, "/admin/settings/test-email", markup`<button class="plain" aria-describedby="test-mail-hint">${texts.get("settings.testMail")}</button><p class="muted" id="test-mail-hint">${texts.render("settings.testMailHint", { address })}</p>`)}`;
}

function describeRejection({ texts }: ConsoleVisit, error: Problem): MarkupValue {
  if (error.code === "settings_changed") return texts.get("settings.outdated");
  if (error.code === "settings_read_only") return texts.translate(error.message) ?? explainReadOnlyFile(texts, "file");
  return error.code === "validation_failed" ? texts.get("settings.invalid") : describeProblem(texts, error);
}

interface PageState {
  /** Section of the form that was sent. */
  readonly section?: Section | undefined;
  readonly notice?: Markup | undefined;
  /** Result of a test email. */
  readonly mailNotice?: Markup;
  readonly errors?: ReadonlyMap<string, string>;
  readonly submitted?: SettingsForm;
}

async function renderPage(
  shop: ConsoleServices,
  visit: ConsoleVisit,
  { section: sentSection, notice, mailNotice, errors = new Map(), submitted }: PageState,
): Promise<ConsolePage> {
  const { texts, session } = visit;
  const saved = await shop.management.settings.read();
  const reason = explainReadOnly(visit, saved);
  const panels = sections.map((section) => {
    const { id, title, fields } = section;
    const isSent = section === sentSection;
    const state = {
      texts,
      saved,
      config: shop.config,
      errors: isSent ? errors : new Map(),
      submitted: isSent ? submitted : undefined,
    };
    const button = reason === undefined && markup`<button>${texts.get("actions.save")}</button>`;
    const content = markup`<input type="hidden" name="section" value="${id}"><input type="hidden" name="revision" value="${saved.revision}"><fieldset class="plain stack"${reason !== undefined && markup` disabled`}>${renderFields(fields, state)}${button}</fieldset>`;
    return markup`<section class="panel" id="${id}"><h2>${texts.get(title)}</h2>${isSent && reason === undefined && notice}${id === "payment" && describeProvider(shop, visit)}${renderForm(session, "/admin/settings", content)}${id === "email" && renderTestMailForm(shop, visit, mailNotice)}</section>`;
  });
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${texts.get(title)}</a></li>`);
  return {
    title: texts.get("nav.settings"),
    body: markup`${reason !== undefined && markup`<p class="fault" role="status">${reason}</p>`}<nav aria-label="${texts.get("nav.settings")}"><ul class="choice">${links}<li><a href="#policies">${texts.get("setup.policies")}</a></li></ul></nav>${panels}${await renderPoliciesForm(shop, visit)}`,
  };
}

/** Explains why the user cannot change settings; undefined if the user can. */
function explainReadOnly({ session, texts }: ConsoleVisit, { readOnlyReason }: SavedSettings): MarkupValue {
  if (readOnlyReason !== undefined) return explainReadOnlyFile(texts, readOnlyReason);
  return session.token.scopes.includes("settings:write") ? undefined : explainScope(texts, "settings:write");
}

function explainReadOnlyFile(texts: ConsoleTexts, reason: NonNullable<SavedSettings["readOnlyReason"]>): MarkupValue {
  const file = markup`<code>vitrine.config.ts</code>`;
  return texts.render(reason === "file" ? "settings.readOnlyFile" : "settings.readOnlyDatabase", { file });
}

/** Renders a note about the checkout or the payment method that the merchant's code adds. */
function describeProvider({ hooks, config }: ConsoleServices, { texts }: ConsoleVisit): MarkupValue {
  if (config.checkout.handoffUrl !== undefined) return markup`<p>${texts.get("setup.ownCheckout")}</p>`;
  return (
    hooks.payment !== undefined &&
    markup`<p>${texts.get("setup.paymentDone", { methods: texts.get("setup.provider") })}</p>`
  );
}

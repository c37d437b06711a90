import { toText } from "@vitrine/liquid";
import { createEscapedText, type SafeHtml } from "../liquid/safe-html.ts";
import type { InvalidForm } from "../theme.ts";
import type { View } from "../view.ts";
import { currencyType } from "./shop/country.ts";
import { createLanguageObjects, getCurrentLanguage } from "./shop/shop-locale.ts";
import { createObjectType, getSubject, TemplateObject, TextObject } from "./template-object.ts";

/** A form on a page. */
export interface Form {
  readonly kind: string;
  readonly view: View;
  readonly id: string;
  /** Product, article or other object that the form is about. */
  readonly subject: unknown;
  /** Whether the form was submitted and accepted. */
  readonly isAccepted: boolean;
  /** The submitted form if it was rejected. The page shows the form again with the submitted values. */
  readonly invalidForm: InvalidForm | undefined;
}

/** The `form` object. Any field of the object returns the submitted value with this name. */
export class FormObject extends TemplateObject<Form> {
  readonly #form: Form;

  constructor(form: Form) {
    super(formType, form);
    this.#form = form;
  }

  override field(key: string | number): unknown {
    return super.field(key) ?? readSubmittedValue(this.#form, String(key));
  }
}

/** Returns the object that a form is about, or undefined if the value is not a form. */
export function getFormSubject(value: unknown): unknown {
  return value instanceof TemplateObject ? value[getSubject](formType)?.subject : undefined;
}

/** Fields of the `form` object that contain submitted values, or else the values of the edited address or customer. */
const valueNames =
  "author body email name phone first_name last_name company address1 address2 city province country zip".split(" ");

/**
 * Returns a function that reads a field of a language or currency picker. For other forms, the function returns
 * undefined.
 */
function createLocaleReader(readValue: (form: Form) => unknown): (form: Form) => unknown {
  return (form) => (/^(?:localization|currency)$/.test(form.kind) ? readValue(form) : undefined);
}

const formType = createObjectType<Form>(
  "form",
  {
    id: (form) => form.id,
    type: (form) => form.kind,
    errors: ({ invalidForm }) => (invalidForm === undefined ? undefined : new FormErrors(invalidForm)),
    "posted_successfully?": ({ isAccepted }) => isAccepted,
    "password_needed?": () => true,
    // Themes also read `password_needed?` without the question mark.
    password_needed: () => true,
    set_as_default_checkbox: () =>
      '<input type="checkbox" id="address_default_address" name="address[default]" value="1">',
    ...Object.fromEntries(
      valueNames.map((name) => [name, (form: Form) => readSubmittedValue(form, name) ?? readSubjectField(form, name)]),
    ),
  },
  // Older themes read the languages and currencies for their pickers from the form.
  {
    current_locale: createLocaleReader(({ view }) => getCurrentLanguage(view)),
    available_locales: createLocaleReader(({ view }) => createLanguageObjects(view)),
    current_currency: createLocaleReader(({ view }) => new TemplateObject(currencyType, view)),
    available_currencies: createLocaleReader(({ view }) => [new TemplateObject(currencyType, view)]),
  },
  {
    emptyFields: "message send_on",
    fieldTypes: {
      errors: "form_errors",
      current_locale: "shop_locale",
      available_locales: "shop_locale[]",
      current_currency: "currency",
      available_currencies: "currency[]",
    },
  },
);

/** Names of the invalid fields. The name "form" means the entire form. */
class FormErrors extends TemplateObject<InvalidForm> {
  readonly #names: readonly string[];

  constructor(invalidForm: InvalidForm) {
    super(errorsType, invalidForm);
    this.#names = invalidForm.errors.map(({ field }) => field);
  }

  override field(key: string | number): unknown {
    if (key === "size") return this.#names.length;
    if (key === "first") return this.#names[0];
    if (key === "last") return this.#names.at(-1);
    return typeof key === "number" ? this.#names.at(key) : super.field(key);
  }

  override items(): readonly unknown[] {
    return this.#names;
  }
}

const errorsType = createObjectType<InvalidForm>("form_errors", {
  messages: ({ errors }) => Object.fromEntries(errors.map(({ field, message }) => [field, message])),
  translated_fields: ({ errors }) => Object.fromEntries(errors.map(({ field, name }) => [field, name])),
});

function readSubmittedValue({ invalidForm }: Form, name: string): SafeHtml | undefined {
  return invalidForm !== undefined && Object.hasOwn(invalidForm.values, name)
    ? escapeText(invalidForm.values[name])
    : undefined;
}

function readSubjectField({ subject }: Form, name: string): SafeHtml | undefined {
  const isAddress = subject instanceof TemplateObject && subject.object_type === "address";
  return isAddress ? escapeText(subject.field(name)) : undefined;
}

/** Returns escaped text for printing by themes. The text of a country is its name. */
function escapeText(value: unknown): SafeHtml | undefined {
  const text = typeof value === "string" || value instanceof TextObject ? toText(value) : "";
  return text === "" ? undefined : createEscapedText(text);
}

import { escapeHtml, SafeHtml } from "../liquid/safe-html.ts";
import type { RefusedForm } from "../theme.ts";
import { objectType, subjectAs, TemplateObject } from "./template-object.ts";

/** A form of a page. */
export interface Form {
  readonly kind: string;
  readonly id: string;
  /** What it is about. */
  readonly subject: unknown;
  /** It was sent, and taken. */
  readonly isPosted: boolean;
  /** It was sent and refused: it is shown again as it was filled in. */
  readonly refused: RefusedForm | undefined;
}

/** What was written into the form is there under the names of its fields, whatever they are. */
export class FormObject extends TemplateObject<Form> {
  readonly #form: Form;

  constructor(form: Form) {
    super(formType, form);
    this.#form = form;
  }

  override field(key: string | number): unknown {
    return super.field(key) ?? written(this.#form, String(key));
  }
}

/** What a form is about; undefined where the value is no form. */
export function formSubject(value: unknown): unknown {
  return value instanceof TemplateObject ? value[subjectAs](formType)?.subject : undefined;
}

/** Names of the fields of which themes show what was written, or what the form's address has. */
const valueNames =
  "author body email name phone first_name last_name company address1 address2 city province country zip".split(" ");

const formType = objectType<Form>(
  "form",
  {
    id: (form) => form.id,
    type: (form) => form.kind,
    errors: ({ refused }) => (refused === undefined ? undefined : new FormErrors(refused)),
    "posted_successfully?": ({ isPosted }) => isPosted,
    "password_needed?": () => true,
    // Themes also write it without the question mark.
    password_needed: () => true,
    set_as_default_checkbox: () =>
      '<input type="checkbox" id="address_default_address" name="address[default]" value="1">',
    ...Object.fromEntries(
      valueNames.map((name) => [name, (form: Form) => written(form, name) ?? ofSubject(form, name)]),
    ),
  },
  {},
  { returns: { errors: "form_errors" } },
);

/** Names of the fields with something wrong, "form" for the form itself. */
class FormErrors extends TemplateObject<RefusedForm> {
  readonly #names: readonly string[];

  constructor(refused: RefusedForm) {
    super(errorsType, refused);
    this.#names = refused.faults.map(({ field }) => field);
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

const errorsType = objectType<RefusedForm>("form_errors", {
  messages: ({ faults }) => Object.fromEntries(faults.map(({ field, message }) => [field, message])),
  translated_fields: ({ faults }) => Object.fromEntries(faults.map(({ field, name }) => [field, name])),
});

function written({ refused }: Form, name: string): SafeHtml | undefined {
  return refused !== undefined && Object.hasOwn(refused.values, name) ? safe(refused.values[name]) : undefined;
}

function ofSubject({ subject }: Form, name: string): SafeHtml | undefined {
  const isAbout = subject instanceof TemplateObject && subject.object_type === "address";
  return isAbout ? safe(subject.field(name)) : undefined;
}

/** Escaped, so that it may stand in a page as it is. */
function safe(text: unknown): SafeHtml | undefined {
  return typeof text === "string" && text !== "" ? new SafeHtml(escapeHtml(text), text) : undefined;
}

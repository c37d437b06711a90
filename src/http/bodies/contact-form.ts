import type { Contact } from "../../inbox/inbox.ts";
import type { Messages } from "../../messages/messages.ts";
import { createFieldsProblem, type FieldError, type Problem } from "../../problem.ts";
import { honeypotField } from "../../theme/tags/form-kinds.ts";
import type { FieldMessage, InvalidForm } from "../../theme/theme.ts";
import { isObject } from "./body.ts";
import { isEmailAddress } from "./forms.ts";

/** Fields of a contact, newsletter, or comment form. */
export interface ContactForm {
  readonly kind: Contact["kind"];
  readonly email: string;
  /** Submitted values by field name, without the email address. */
  readonly fields: Contact["fields"];
  /**
   * Whether the form's hidden field was filled in. People cannot see the field, but spam programs fill in every field.
   */
  readonly isSpam: boolean;
}

/**
 * Parses a contact form (`contact[…]`), a newsletter form (`form_type` is "customer"), or a comment form
 * (`comment[…]`).
 * @throws Problem `validation_failed` with all errors, worded for shoppers
 */
export function parseContactForm(form: Readonly<Record<string, unknown>>): ContactForm {
  const { kind, texts } = readFormFields(form);
  const { email: emailInput, ...otherFields } = texts;
  const email = (emailInput ?? "").trim();
  const errors: FieldError[] = [];
  const addError = (field: string, rule: string, message: string): void => void errors.push({ field, rule, message });
  if (!isEmailAddress(email))
    addError("email", email === "" ? "required" : "email", "Enter an email address like name@example.com.");
  if (kind === "comment") {
    for (const [name, description] of [
      ["author", "your name"],
      ["body", "a comment"],
    ] as const)
      if ((otherFields[name] ?? "").trim() === "") addError(name, "required", `Enter ${description}.`);
  }
  const fields = Object.entries(otherFields);
  if (fields.length > MAX_FIELDS) addError("form", "max", `A form can have up to ${MAX_FIELDS} fields.`);
  if (fields.some(([name, text]) => name.length > MAX_NAME_LENGTH || text.length > MAX_TEXT_LENGTH))
    addError("body", "max", `A text can have up to ${MAX_TEXT_LENGTH} characters.`);
  if (errors.length > 0) throw createFieldsProblem(errors);
  return {
    kind,
    email,
    fields: otherFields,
    isSpam: typeof form[honeypotField] === "string" && form[honeypotField] !== "",
  };
}

/** Returns the values and error messages with which a page shows a rejected form again. */
export function createRejectedForm(
  form: Readonly<Record<string, unknown>>,
  { code, fields }: Problem,
  messages: Messages,
): InvalidForm {
  const { kind, texts } = readFormFields(form);
  const errors = fields.map((fieldError) => formatFieldMessage(fieldError, messages));
  const formMessage = {
    field: "form",
    name: "",
    message: messages(code === "rate_limited" ? "tooManyAttempts" : "forms.notKept"),
  };
  return { kind: formTypes[kind], values: texts, errors: errors.length === 0 ? [formMessage] : errors };
}

const formTypes: Readonly<Record<Contact["kind"], string>> = {
  message: "contact",
  newsletter: "customer",
  comment: "new_comment",
};

function formatFieldMessage({ field, rule }: FieldError, messages: Messages): FieldMessage {
  if (field === "form") return { field, name: "", message: messages("forms.tooManyFields", { max: MAX_FIELDS }) };
  const name = messages(`fields.${field as "author" | "body" | "email"}`);
  if (rule === "max") return { field, name, message: messages("errors.tooLong", { max: MAX_TEXT_LENGTH }) };
  return { field, name, message: messages(rule === "email" ? "errors.email" : "errors.blank") };
}

const MAX_FIELDS = 50;
/** Maximum length of a name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 255;
const MAX_TEXT_LENGTH = 5_000;

function readFormFields(form: Readonly<Record<string, unknown>>): {
  readonly kind: Contact["kind"];
  readonly texts: Readonly<Record<string, string>>;
} {
  const kind = contactKindOf(form);
  const group = kind === "comment" ? form.comment : form.contact;
  return { kind, texts: readFieldTexts(isObject(group) ? group : {}) };
}

function contactKindOf(form: Readonly<Record<string, unknown>>): Contact["kind"] {
  if (form.form_type === "customer") return "newsletter";
  return form.form_type === "new_comment" || isObject(form.comment) ? "comment" : "message";
}

/** Returns the values of form fields by name. Several selected options of a field are joined with commas. */
function readFieldTexts(group: Readonly<Record<string, unknown>>): Record<string, string> {
  const textsByField: Record<string, string> = {};
  for (const [name, value] of Object.entries(group)) {
    const fieldValues: readonly unknown[] = Array.isArray(value)
      ? value
      : isObject(value)
        ? Object.values(value)
        : [value];
    const itemTexts = fieldValues
      .filter((item): item is string => typeof item === "string")
      .map((item) => item.replaceAll("\0", ""));
    textsByField[name.toWellFormed().replaceAll("\0", "")] = itemTexts.join(", ").toWellFormed();
  }
  return textsByField;
}

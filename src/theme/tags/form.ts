import type { Context } from "@vitrine/liquid";
import { LiquidError, type Tag } from "@vitrine/liquid";
import type { Expression, Lexer, NamedArgument } from "@vitrine/liquid/tree";
import {
  compileExpression,
  findFragment,
  type MarkupSlice,
  markupOf,
  parseLaxArguments,
  parseLaxExpression,
  readArguments,
  readExpression,
} from "@vitrine/liquid/tree";
import { getMessages } from "../../messages/messages.ts";
import { readFieldText, textOf } from "../filters/filter.ts";
import { renderAttribute } from "../liquid/safe-html.ts";
import { FormObject } from "../objects/form.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import type { InvalidForm } from "../theme.ts";
import type { View } from "../view.ts";
import { createNode } from "./create-node.ts";
import { formKinds, honeypotField } from "./form-kinds.ts";

interface ParsedFormTag {
  readonly kind: Expression | undefined;
  /** Object that the form is about, such as a product. */
  readonly subject: Expression | undefined;
  readonly args: readonly NamedArgument[];
}

/**
 * Renders a form, with the URL and hidden fields for its kind: `{% form 'product', product, id: 'x' %}…{% endform %}`.
 */
export const form: Tag = (tag, parser) => {
  const tree = parser.parseMarkup(markupOf(tag), readForm, readLaxForm);
  const literalKind = tree.kind?.kind === "literal" ? textOf(tree.kind.value) : undefined;
  // The tag `{% form article %}` names no kind of form. It renders the comment form of the article.
  const subjectExpression = literalKind === undefined ? tree.kind : tree.subject;
  const evaluateSubject = subjectExpression === undefined ? undefined : compileExpression(subjectExpression);
  const attributes = tree.args.map(({ name, value }) => [name, compileExpression(value)] as const);
  const { body } = parser.body(tag);
  return createNode(tag, (context) => {
    const subject = evaluateSubject?.(context);
    const kind =
      literalKind ?? (subject instanceof TemplateObject && subject.object_type === "article" ? "new_comment" : "");
    const createFormParts = formKinds.get(kind);
    if (createFormParts === undefined)
      throw new LiquidError("render", `form: the kinds of form are ${[...formKinds.keys()].join(", ")}`);
    const { view } = stateOf(context);
    const namedAttributes = Object.fromEntries(attributes.map(([name, value]) => [name, value(context)]));
    const parts = createFormParts(view, subject);
    // Browsers keep the fragment across the redirect, so they scroll to the message in the form.
    const fragment = parts.successParameter === undefined ? "" : `#${textOf(namedAttributes.id ?? parts.id)}`;
    const allAttributes: Record<string, unknown> = {
      method: "post",
      action: parts.action + fragment,
      id: parts.id,
      "accept-charset": "UTF-8",
      class: parts.className,
      enctype: parts.isMultipart === true ? "multipart/form-data" : undefined,
      ...namedAttributes,
      return_to: undefined,
    };
    const formattedAttributes = Object.entries(allAttributes)
      .filter(([name, value]) => /^[\w:-]+$/.test(name) && value !== undefined && value !== null)
      .map(([name, value]) => renderAttribute(name, value === true ? true : textOf(value)));
    context.write(
      `<form${formattedAttributes.join("")}>${renderHiddenInput("form_type", kind)}${renderHiddenInput("utf8", "\u2713")}`,
    );
    if (parts.successParameter !== undefined) context.write(honeypotInput);
    const invalidForm = findInvalidForm(view, kind, parts.accountForm);
    const successParameter = parts.accountForm === undefined ? parts.successParameter : `${parts.accountForm}_posted`;
    const isAccepted =
      invalidForm === undefined && successParameter !== undefined && view.query.get(successParameter) === "true";
    const id = parts.formId ?? textOf(allAttributes.id);
    const object = new FormObject({ kind, view, id, subject, isAccepted, invalidForm });
    context.withLocal("form", object, () => body.render(context));
    writeFields(context, kind, { ...parts.hiddenFields }, namedAttributes.return_to);
    context.write("</form>");
  });
};

/** Returns the data of a form that was sent from this page and rejected. */
function findInvalidForm(
  { request, query }: View,
  kind: string,
  accountForm: string | undefined,
): InvalidForm | undefined {
  if (request.invalidForm?.kind === kind) return request.invalidForm;
  if (accountForm === undefined || query.get(`${accountForm}_failed`) !== "true") return undefined;
  const message = getMessages(request.locale)(kind === "customer_login" ? "forms.loginFailed" : "forms.accountFailed");
  return { kind, values: {}, errors: [{ field: "form", name: "", message }] };
}

function writeFields(context: Context, kind: string, fields: Record<string, string>, returnPath: unknown): void {
  const { view, globals } = stateOf(context);
  const section = globals.field("section");
  if (kind === "product" && section instanceof TemplateObject) fields["section-id"] = readFieldText(section, "id");
  if (returnPath !== undefined) fields.return_to = textOf(returnPath);
  if (view.request.csrfToken !== undefined) fields.csrf_token = view.request.csrfToken;
  for (const [name, value] of Object.entries(fields)) context.write(renderHiddenInput(name, value));
}

const honeypotInput = `<div hidden><input type="text"${renderAttribute("name", honeypotField)} tabindex="-1" autocomplete="off"></div>`;

function renderHiddenInput(name: string, value: string): string {
  return `<input type="hidden"${renderAttribute("name", name)}${renderAttribute("value", value)}>`;
}

/** Parses the arguments of the tag: the kind of form, optionally the object that it is about, and named attributes. */
function readForm(lexer: Lexer): ParsedFormTag {
  const kind = readExpression(lexer);
  const hasSubject = lexer.skipSign(",") && lexer.kind !== "end" && !lexer.isFollowedByColon();
  const subject = hasSubject ? readExpression(lexer) : undefined;
  return { kind, subject, args: readArguments(lexer) };
}

function readLaxForm(markupSlice: MarkupSlice): ParsedFormTag {
  const kind = findFragment(markupSlice);
  const commaIndex = markupSlice.text.indexOf(",");
  const subject =
    commaIndex < 0
      ? undefined
      : findFragment({ text: markupSlice.text.slice(commaIndex + 1), at: markupSlice.at + commaIndex + 1 });
  const hasSubject = subject !== undefined && !/^[\w-]+:/.test(subject.text);
  return {
    kind: kind === undefined ? undefined : parseLaxExpression(kind),
    subject: hasSubject ? parseLaxExpression(subject) : undefined,
    args: parseLaxArguments(markupSlice),
  };
}

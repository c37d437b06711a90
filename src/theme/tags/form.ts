import type { Parser, TagToken, Template, TopLevelToken, ValueToken } from "liquidjs";
import { type Context, type Emitter, Hash, type Liquid, Tag, TypeGuards } from "liquidjs";
import { textOf } from "../filters/filter.ts";
import { evaluate } from "../liquid/evaluate.ts";
import { attribute } from "../liquid/safe-html.ts";
import { objectType, TemplateObject } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import { parseBody } from "./body.ts";
import { formKinds } from "./form-kinds.ts";

/** `{% form 'product', product, id: 'x' %}…{% endform %}`: a form with the address and the hidden fields of its kind. */
export class FormTag extends Tag {
  readonly #kind: string;
  readonly #subject: ValueToken | undefined;
  readonly #attributes: Hash;
  readonly #body: Template[];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    const kind = token.tokenizer.readValue();
    this.#kind = kind !== undefined && TypeGuards.isQuotedToken(kind) ? kind.content : "";
    this.#subject = readSubject(token.tokenizer);
    this.#attributes = new Hash(token.tokenizer);
    this.#body = parseBody(token, remaining, parser, "endform");
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const makeParts = formKinds.get(this.#kind);
    if (makeParts === undefined)
      throw new Error(`${this.token.getText()}: the kinds of form are ${[...formKinds.keys()].join(", ")}`);
    const { view, globals } = stateOf(context);
    const { return_to: returnTo, ...given } = (yield this.#attributes.render(context)) as Record<string, unknown>;
    const subject = this.#subject === undefined ? undefined : evaluate(this.#subject, context);
    const parts = makeParts(view, subject);
    if (parts === undefined) return;
    const all: Record<string, unknown> = {
      method: "post",
      action: parts.action,
      id: parts.id,
      "accept-charset": "UTF-8",
      class: parts.className,
      enctype: parts.isMultipart === true ? "multipart/form-data" : undefined,
      ...given,
    };
    const attributes = Object.entries(all)
      .filter(([name, value]) => /^[\w:-]+$/.test(name) && value !== undefined)
      .map(([name, value]) => attribute(name, value === true ? true : textOf(value)));
    emitter.write(`<form${attributes.join("")}>`);
    emitter.write(hidden("form_type", this.#kind) + hidden("utf8", "\u2713"));
    const form = new TemplateObject(formType, { kind: this.#kind, id: textOf(all.id), subject });
    context.push(Object.assign(Object.create(null), { form }));
    try {
      yield this.liquid.renderer.renderTemplates(this.#body, context, emitter);
    } finally {
      context.pop();
    }
    const section = globals.liquidMethodMissing("section");
    const fields: Record<string, string> = { ...parts.hidden };
    if (this.#kind === "product" && section instanceof TemplateObject)
      fields["section-id"] = textOf(section.liquidMethodMissing("id"));
    if (returnTo !== undefined) fields.return_to = textOf(returnTo);
    if (view.request.csrfToken !== undefined) fields.csrf_token = view.request.csrfToken;
    for (const [name, value] of Object.entries(fields)) emitter.write(hidden(name, value));
    emitter.write("</form>");
  }
}

interface Form {
  readonly kind: string;
  readonly id: string;
  readonly subject: unknown;
}

/** A form that was not sent: without errors, and with the values of what it is about. */
const formType = objectType<Form>("form", {
  id: (form) => form.id,
  type: (form) => form.kind,
  errors: () => undefined,
  "posted_successfully?": () => false,
  "password_needed?": () => true,
  set_as_default_checkbox: () =>
    '<input type="checkbox" id="address_default_address" name="address[default]" value="1">',
  ...Object.fromEntries(
    "author body email name phone first_name last_name company address1 address2 city province country zip"
      .split(" ")
      .map((name) => [name, ({ subject }: Form) => of(subject, name)]),
  ),
});

function of(subject: unknown, name: string): unknown {
  const isAbout = subject instanceof TemplateObject && subject.object_type === "address";
  return isAbout ? subject.liquidMethodMissing(name) : undefined;
}

function hidden(name: string, value: string): string {
  return `<input type="hidden"${attribute("name", name)}${attribute("value", value)}>`;
}

/** The thing a form is about stands before its named attributes, and may be left out. */
function readSubject(tokenizer: TagToken["tokenizer"]): ValueToken | undefined {
  tokenizer.skipBlank();
  if (tokenizer.peek() !== ",") return undefined;
  const before = tokenizer.p;
  tokenizer.advance();
  const subject = tokenizer.readValue();
  tokenizer.skipBlank();
  if (tokenizer.peek() !== ":") return subject;
  tokenizer.p = before;
  return undefined;
}

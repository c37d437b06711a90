import type { Parser, TagToken, Template, TopLevelToken, ValueToken } from "liquidjs";
import { type Context, type Emitter, evalToken, Hash, type Liquid, Tag } from "liquidjs";
import { objectType, TemplateObject } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import { attribute } from "../safe-html.ts";
import { localPath } from "../view.ts";
import { parseBody } from "./body.ts";

/** `{% form 'product', product, id: 'x' %}…{% endform %}`: a form that works with the cart's addresses. */
export class FormTag extends Tag {
  readonly #type: string;
  readonly #subject: ValueToken | undefined;
  readonly #attributes: Hash;
  readonly #body: Template[];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    const [, single, double] = /^\s*(?:'([^']*)'|"([^"]*)")/.exec(token.args) ?? [];
    this.#type = single ?? double ?? "";
    if (!actions.has(this.#type))
      throw new Error(`${token.getText()}: the kinds of form are ${[...actions.keys()].join(", ")}`);
    this.tokenizer.readValue();
    this.#subject = readSubject(this.tokenizer);
    this.#attributes = new Hash(this.tokenizer);
    this.#body = parseBody(token, remaining, parser, "endform");
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { view } = stateOf(context);
    const given = (yield this.#attributes.render(context)) as Record<string, unknown>;
    const subject = this.#subject === undefined ? undefined : yield evalToken(this.#subject, context);
    const all: Record<string, unknown> = {
      method: "post",
      action: localPath(view, actions.get(this.#type) as string),
      "accept-charset": "UTF-8",
      ...given,
    };
    const attributes = Object.entries(all)
      .filter(([name]) => /^[\w:-]+$/.test(name))
      .map(([name, value]) => attribute(name, value === true ? true : String(value ?? "")));
    emitter.write(`<form${attributes.join("")}>`);
    emitter.write(`<input type="hidden" name="form_type"${attribute("value", this.#type)}>`);
    context.push({ form: new TemplateObject(formType, { type: this.#type, id: given.id, subject }) });
    yield this.liquid.renderer.renderTemplates(this.#body, context, emitter);
    context.pop();
    emitter.write("</form>");
  }
}

interface Form {
  readonly type: string;
  readonly id: unknown;
  readonly subject: unknown;
}

const formType = objectType<Form>("form", {
  id: (form) => form.id ?? form.type,
  type: (form) => form.type,
  errors: () => undefined,
  "posted_successfully?": () => false,
});

/** Kind of form -> where it goes, without locale prefix. */
const actions: ReadonlyMap<string, string> = new Map([
  ["product", "/cart/add"],
  ["cart", "/cart"],
]);

/** The thing a form is about stands before its named attributes, and may be left out. */
function readSubject(tokenizer: TagToken["tokenizer"]): ValueToken | undefined {
  tokenizer.skipBlank();
  if (tokenizer.peek() !== ",") return undefined;
  const before = tokenizer.p;
  tokenizer.advance();
  const subject = tokenizer.readValue();
  tokenizer.skipBlank();
  if (tokenizer.peek() !== ":") return subject as ValueToken | undefined;
  tokenizer.p = before;
  return undefined;
}

import type { Parser, TagToken, Template, TopLevelToken, ValueToken } from "liquidjs";
import { type Context, type Emitter, Hash, type Liquid, Tag, toValue } from "liquidjs";
import { evaluate } from "../liquid/evaluate.ts";
import { listingOf } from "../objects/listing.ts";
import { paginateObject } from "../objects/paginate.ts";
import { LookUp, listed } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import { parseBody } from "./body.ts";

/** Items a page may have. */
const maxPageSize = 250;

/** `{% paginate collection.products by 12 %}…{% endpaginate %}`: shows the page that the query's `page` names. */
export class PaginateTag extends Tag {
  readonly #list: ValueToken;
  readonly #size: ValueToken;
  readonly #options: Hash;
  readonly #body: Template[];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.#list = this.tokenizer.readValueOrThrow();
    const by = this.tokenizer.readIdentifier();
    if (by.content !== "by") throw new Error(`${token.getText()}: write {% paginate list by 12 %}`);
    this.#size = this.tokenizer.readValueOrThrow();
    this.#options = new Hash(this.tokenizer);
    this.#body = parseBody(token, remaining, parser, "endpaginate");
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { view } = stateOf(context);
    const list = evaluate(this.#list, context);
    const options = (yield this.#options.render(context)) as Record<string, unknown>;
    const size = wholeNumber(toValue(evaluate(this.#size, context)), 1, maxPageSize) ?? 50;
    const page = wholeNumber(view.query.get("page"), 1, 1_000_000) ?? 1;
    const listing = list instanceof LookUp ? list[listed] : listingOf(list);
    listing?.show((page - 1) * size, size);
    listing?.current();
    const plain = listing === undefined ? plainList(list) : undefined;
    const total = listing?.total() ?? plain?.length ?? 0;
    const window = wholeNumber(toValue(options.window_size), 1, 20) ?? 3;
    const { pages } = stateOf(context);
    const outer = plain && pages.get(plain);
    if (plain !== undefined) pages.set(plain, { offset: (page - 1) * size, limit: size });
    context.push({ paginate: paginateObject({ view, page, size, total, window }) });
    try {
      yield this.liquid.renderer.renderTemplates(this.#body, context, emitter);
    } finally {
      context.pop();
      listing?.show();
      if (plain !== undefined) pages.delete(plain);
      if (plain !== undefined && outer !== undefined) pages.set(plain, outer);
    }
  }
}

function plainList(value: unknown): readonly unknown[] | undefined {
  const list: unknown = toValue(value);
  return Array.isArray(list) ? list : undefined;
}

function wholeNumber(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= min ? Math.min(number, max) : undefined;
}

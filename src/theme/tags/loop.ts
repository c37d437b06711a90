import { type Context, Hash, type TagToken, toValue, type ValueToken } from "liquidjs";
import { numeric } from "../filters/math.ts";
import { evaluate } from "../liquid/evaluate.ts";
import { BareDrop } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";

/** `x in list limit: 3 offset: 1 reversed`, as `for` and `tablerow` take it. */
export interface Loop {
  readonly variable: string;
  readonly list: ValueToken;
  /** Of the loop, for `offset: continue`. */
  readonly name: string;
  readonly options: Hash;
}

/** @throws Error where it is no loop */
export function readLoop(token: TagToken): Loop {
  const { tokenizer } = token;
  const variable = tokenizer.readIdentifier().content;
  const isIn = tokenizer.readIdentifier().content === "in";
  const list = tokenizer.readValue();
  if (variable === "" || !isIn || list === undefined)
    throw new Error(`${token.getText()}: write {% ${token.name} item in list %}`);
  return { variable, list, name: `${variable}-${list.getText()}`, options: new Hash(tokenizer) };
}

/** What the options say, and the items they leave. */
export interface Chosen {
  readonly items: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
}

export function* chosen(context: Context, loop: Loop): Generator<unknown, Chosen, unknown> {
  const all = onPage(context, itemsOf(evaluate(loop.list, context)));
  const place = `continue ${loop.name}`;
  const before: unknown = context.getRegister(place);
  context.push(Object.assign(Object.create(null), { continue: before ?? 0 }));
  let options: Record<string, unknown>;
  try {
    options = (yield loop.options.render(context)) as Record<string, unknown>;
  } finally {
    context.pop();
  }
  const start = Math.max(0, Math.trunc(numeric(options.offset).number));
  const limit = isGiven(options.limit) ? Math.max(0, Math.trunc(numeric(options.limit).number)) : all.length;
  const items = start === 0 && limit >= all.length ? all : all.slice(start, start + limit);
  context.setRegister(place, start + items.length);
  return { items: options.reversed === undefined ? items : items.toReversed(), options };
}

/** What an open `paginate` shows of a list. */
function onPage(context: Context, items: readonly unknown[]): readonly unknown[] {
  const { pages } = stateOf(context);
  const page = pages.size === 0 ? undefined : pages.get(items);
  return page === undefined ? items : items.slice(page.offset, page.offset + page.limit);
}

export function isGiven(option: unknown): boolean {
  return option !== undefined && toValue(option) !== null;
}

/** A text is one item, a hash gives pairs, an object gives none. */
export function itemsOf(value: unknown): readonly unknown[] {
  const shown: unknown = toValue(value);
  if (Array.isArray(shown)) return shown;
  if (typeof shown === "string") return shown === "" ? [] : [shown];
  if (typeof shown !== "object" || shown === null) return [];
  if (Symbol.iterator in shown) return Array.from(shown as Iterable<unknown>);
  return shown instanceof BareDrop ? [] : Object.entries(shown);
}

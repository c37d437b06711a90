import type { Context } from "@vitrine/liquid";
import { LiquidError, type Tag } from "@vitrine/liquid";
import type { Expression, Lexer, NamedArgument } from "@vitrine/liquid/tree";
import {
  compileExpression,
  fragmentSource,
  type MarkupSlice,
  markupOf,
  parseLaxArguments,
  parseLaxExpression,
  readArguments,
  readExpression,
} from "@vitrine/liquid/tree";
import { textOf } from "../filters/filter.ts";
import { listingOf } from "../objects/listing.ts";
import { paginateObject } from "../objects/paginate.ts";
import { Lookup, listed } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";

/** Maximum items of a page. */
const maxPageSize = 250;

interface PaginateTree {
  readonly list: Expression;
  readonly size: Expression;
  readonly args: readonly NamedArgument[];
}

/**
 * Shows the page of a list that the query's `page` selects: `{% paginate collection.products by 12 %}…{% endpaginate %}`.
 */
export const paginate: Tag = (tag, parser) => {
  const tree = parser.parseMarkup(markupOf(tag), readPaginate, (piece) => readLaxly(piece, tag.begin));
  const list = compileExpression(tree.list);
  const size = compileExpression(tree.size);
  const window = tree.args.find(({ name }) => name === "window_size")?.value;
  const windowOf = window === undefined ? undefined : compileExpression(window);
  const { body } = parser.body(tag);
  return {
    at: tag.begin,
    isBlank: false,
    render: (context) =>
      showPage(context, {
        list: list(context),
        size: integerIn(textOf(size(context)), 1, maxPageSize) ?? 50,
        window: integerIn(textOf(windowOf?.(context)), 1, 20) ?? 3,
        render: body.render,
      }),
  };
};

interface Page {
  readonly list: unknown;
  readonly size: number;
  /** Number of links to pages before and after the current page. */
  readonly window: number;
  readonly render: (context: Context) => void;
}

function showPage(context: Context, { list, size, window, render }: Page): void {
  const { view, pages } = stateOf(context);
  const page = integerIn(view.query.get("page"), 1, 1_000_000) ?? 1;
  const listing = list instanceof Lookup ? list[listed] : listingOf(list);
  listing?.show((page - 1) * size, size);
  listing?.current();
  const plain = listing === undefined && Array.isArray(list) ? (list as readonly unknown[]) : undefined;
  const total = listing?.total() ?? plain?.length ?? 0;
  const outer = plain && pages.get(plain);
  if (plain !== undefined) pages.set(plain, { offset: (page - 1) * size, limit: size });
  try {
    context.withLocal("paginate", paginateObject({ view, page, size, total, window }), () => render(context));
  } finally {
    listing?.show();
    if (plain !== undefined) pages.delete(plain);
    if (plain !== undefined && outer !== undefined) pages.set(plain, outer);
  }
}

function readPaginate(lexer: Lexer): PaginateTree {
  const list = readExpression(lexer);
  if (!lexer.skipWord("by")) throw lexer.syntaxError('"by"');
  return { list, size: readExpression(lexer), args: readArguments(lexer) };
}

function readLaxly(piece: MarkupSlice, begin: number): PaginateTree {
  const [, list, size] = laxPaginate.exec(piece.text) ?? [];
  if (list === undefined || size === undefined)
    throw new LiquidError("syntax", "paginate: write {% paginate list by 12 %}", begin);
  const { at } = piece;
  return {
    list: parseLaxExpression({ text: list, at }),
    size: parseLaxExpression({ text: size, at }),
    args: parseLaxArguments(piece),
  };
}

const laxPaginate = new RegExp(`(${fragmentSource})\\s*by\\s*(${fragmentSource})`);

function integerIn(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= min ? Math.min(number, max) : undefined;
}

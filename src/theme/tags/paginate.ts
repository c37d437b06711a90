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
import { getListing } from "../objects/listing.ts";
import { paginateType } from "../objects/paginate.ts";
import { Lookup, listingSymbol, TemplateObject } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import { createNode } from "./create-node.ts";

/** Maximum number of items on a page. */
const maxPageSize = 250;

interface ParsedPaginateTag {
  readonly list: Expression;
  readonly size: Expression;
  readonly args: readonly NamedArgument[];
}

/**
 * Splits a list into pages and shows the page from the URL's `?page=`:
 * `{% paginate collection.products by 12 %}…{% endpaginate %}`.
 */
export const parsePaginateTag: Tag = (tag, parser) => {
  const tree = parser.parseMarkup(markupOf(tag), readPaginate, (markupSlice) =>
    readLaxPaginate(markupSlice, tag.begin),
  );
  const list = compileExpression(tree.list);
  const size = compileExpression(tree.size);
  const windowExpression = tree.args.find(({ name }) => name === "window_size")?.value;
  const evaluateWindowSize = windowExpression === undefined ? undefined : compileExpression(windowExpression);
  const { body } = parser.body(tag);
  return createNode(tag, (context) =>
    showPage(context, {
      list: list(context),
      pageSize: parseInteger(textOf(size(context)), maxPageSize) ?? 50,
      windowSize: parseInteger(textOf(evaluateWindowSize?.(context)), 20) ?? 3,
      render: body.render,
    }),
  );
};

interface PaginateOptions {
  readonly list: unknown;
  readonly pageSize: number;
  /** Number of page links on each side of the current page. */
  readonly windowSize: number;
  readonly render: (context: Context) => void;
}

function showPage(context: Context, { list, pageSize, windowSize, render }: PaginateOptions): void {
  const { view, pages } = stateOf(context);
  const page = parseInteger(view.query.get("page"), 1_000_000) ?? 1;
  const listing = list instanceof Lookup ? list[listingSymbol] : getListing(list);
  listing?.moveWindow((page - 1) * pageSize, pageSize);
  listing?.getItems();
  const plainList = listing === undefined && Array.isArray(list) ? (list as readonly unknown[]) : undefined;
  const total = listing?.count() ?? plainList?.length ?? 0;
  const previousWindow = plainList && pages.get(plainList);
  if (plainList !== undefined) pages.set(plainList, { offset: (page - 1) * pageSize, limit: pageSize });
  try {
    context.withLocal("paginate", new TemplateObject(paginateType, { view, page, pageSize, total, windowSize }), () =>
      render(context),
    );
  } finally {
    listing?.moveWindow();
    if (plainList !== undefined) pages.delete(plainList);
    if (plainList !== undefined && previousWindow !== undefined) pages.set(plainList, previousWindow);
  }
}

function readPaginate(lexer: Lexer): ParsedPaginateTag {
  const list = readExpression(lexer);
  if (!lexer.skipWord("by")) throw lexer.createSyntaxError('"by"');
  return { list, size: readExpression(lexer), args: readArguments(lexer) };
}

function readLaxPaginate(markupSlice: MarkupSlice, start: number): ParsedPaginateTag {
  const [, list, size] = laxPaginatePattern.exec(markupSlice.text) ?? [];
  if (list === undefined || size === undefined)
    throw new LiquidError("syntax", "paginate: write {% paginate list by 12 %}", start);
  const { at } = markupSlice;
  return {
    list: parseLaxExpression({ text: list, at }),
    size: parseLaxExpression({ text: size, at }),
    args: parseLaxArguments(markupSlice),
  };
}

const laxPaginatePattern = new RegExp(`(${fragmentSource})\\s*by\\s*(${fragmentSource})`);

/** Parses an integer of at least 1. A larger one than `max` is limited. */
function parseInteger(value: unknown, max: number): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 1 ? Math.min(number, max) : undefined;
}

import { formatPageNumberUrl, type View } from "../view.ts";
import { createObjectType } from "./template-object.ts";

/** A list split into pages. */
export interface Pagination {
  readonly view: View;
  /** Number of the current page, from 1. */
  readonly page: number;
  /** Number of items per page. */
  readonly pageSize: number;
  readonly total: number;
  /** Number of page links on each side of the current page. */
  readonly windowSize: number;
}

export const paginateType = createObjectType<Pagination>("paginate", {
  current_page: ({ page }) => page,
  current_offset: ({ page, pageSize }) => (page - 1) * pageSize,
  items: ({ total }) => total,
  page_size: ({ pageSize }) => pageSize,
  page_param: () => "page",
  pages: (pagination) => countPages(pagination),
  previous: (pagination) =>
    pagination.page > 1
      ? createLinkPart(pagination, Math.min(pagination.page - 1, countPages(pagination)), "&laquo;")
      : undefined,
  next: (pagination) =>
    pagination.page < countPages(pagination) ? createLinkPart(pagination, pagination.page + 1, "&raquo;") : undefined,
  parts: (pagination) => createPaginationParts(pagination),
});

function countPages({ total, pageSize }: Pagination): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/**
 * Returns links to the first page, the last page, and the pages around the current page. Gaps are marked with "…". The
 * titles of pages are numbers, which themes compare with `paginate.current_page`.
 */
function createPaginationParts(pagination: Pagination): unknown[] {
  const lastPage = countPages(pagination);
  const linkedPages = new Set([1, lastPage]);
  for (let page = pagination.page - pagination.windowSize; page <= pagination.page + pagination.windowSize; page += 1)
    if (page >= 1 && page <= lastPage) linkedPages.add(page);
  const result: unknown[] = [];
  let previousPage = 0;
  for (const page of [...linkedPages].sort((left, right) => left - right)) {
    if (page > previousPage + 1) result.push({ title: "&hellip;", is_link: false });
    result.push(page === pagination.page ? { title: page, is_link: false } : createLinkPart(pagination, page, page));
    previousPage = page;
  }
  return result;
}

function createLinkPart({ view }: Pagination, page: number, title: string | number): Readonly<Record<string, unknown>> {
  return { title, url: formatPageNumberUrl(view, page), is_link: true };
}

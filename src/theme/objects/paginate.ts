import type { View } from "../view.ts";
import { pageNumberAddress } from "./shop/shop.ts";
import { objectType, TemplateObject } from "./template-object.ts";

/** A list split into pages. */
export interface Pagination {
  readonly view: View;
  /** Number of the current page, from 1. */
  readonly page: number;
  /** Number of items per page. */
  readonly size: number;
  readonly total: number;
  /** Number of linked pages on each side of the current page. */
  readonly window: number;
}

export function paginateObject(pagination: Pagination): TemplateObject<Pagination> {
  return new TemplateObject(paginateType, pagination);
}

const paginateType = objectType<Pagination>("paginate", {
  current_page: ({ page }) => page,
  current_offset: ({ page, size }) => (page - 1) * size,
  items: ({ total }) => total,
  page_size: ({ size }) => size,
  page_param: () => "page",
  pages: (pagination) => lastPage(pagination),
  previous: (pagination) =>
    pagination.page > 1 ? part(pagination, Math.min(pagination.page - 1, lastPage(pagination)), "&laquo;") : undefined,
  next: (pagination) =>
    pagination.page < lastPage(pagination) ? part(pagination, pagination.page + 1, "&raquo;") : undefined,
  parts: (pagination) => parts(pagination),
});

function lastPage({ total, size }: Pagination): number {
  return Math.max(1, Math.ceil(total / size));
}

/** Returns links to the first page, the last page, and the pages around the current page, with gaps in between. */
function parts(pagination: Pagination): unknown[] {
  const last = lastPage(pagination);
  const shown = new Set([1, last]);
  for (let page = pagination.page - pagination.window; page <= pagination.page + pagination.window; page += 1)
    if (page >= 1 && page <= last) shown.add(page);
  const list: unknown[] = [];
  let before = 0;
  for (const page of [...shown].sort((left, right) => left - right)) {
    if (page > before + 1) list.push({ title: "&hellip;", is_link: false });
    list.push(
      page === pagination.page ? { title: String(page), is_link: false } : part(pagination, page, String(page)),
    );
    before = page;
  }
  return list;
}

function part({ view }: Pagination, page: number, title: string): Readonly<Record<string, unknown>> {
  return { title, url: pageNumberAddress(view, page), is_link: true };
}

import { readEntries } from "../../../catalog/catalog.ts";
import type { Collection } from "../../../catalog/collection.ts";
import { policyHandles } from "../../../catalog/content.ts";
import { localize } from "../../../catalog/localize.ts";
import { unwrapCatalog } from "../../../catalog/tagged-catalog.ts";
import type { MenuLink } from "../../../config/settings.ts";
import type { View } from "../../view.ts";
import { localizeCollection } from "../collections/collection.ts";
import { readBlogTitle } from "./blog.ts";

/** Handles of menus that exist even if the settings do not define any menu. */
export const derivedMenuHandles: readonly string[] = ["main-menu", "footer"];

/** Maximum number of collection links in a default menu. More would not fit in one row. */
const MAX_COLLECTIONS = 6;
/** Maximum number of collections to check for products. It limits the work of each page. */
const MAX_CHECKED_COLLECTIONS = 100;
const MAX_PAGES = 8;

/**
 * Creates a default menu in the page's language. The main menu links the first collections that have products, and the
 * blog. The footer menu links the content pages, with policies at the end.
 * @returns undefined if there is nothing to link
 */
export function createDerivedMenu(view: View, handle: string): readonly MenuLink[] | undefined {
  if (!derivedMenuHandles.includes(handle)) return undefined;
  const links = handle === "footer" ? listFooterLinks(view) : listMainLinks(view);
  return links.length === 0 ? undefined : links;
}

function listMainLinks(view: View): readonly MenuLink[] {
  const collections = listNonEmptyCollections(view);
  const allCollectionsTitle = view.translate("collections.all")?.text ?? "All collections";
  const [blog] = view.request.catalog.blogs();
  return [
    ...collections
      .slice(0, MAX_COLLECTIONS)
      .map((collection) =>
        createLink(localizeCollection(view, collection).title, `/collections/${encodeURIComponent(collection.handle)}`),
      ),
    ...(collections.length > MAX_COLLECTIONS ? [createLink(allCollectionsTitle, "/collections")] : []),
    ...(blog === undefined ? [] : [createLink(readBlogTitle(view, blog), `/blogs/${encodeURIComponent(blog)}`)]),
  ];
}

/** Returns the first collections that have products. Returns one more than the menu shows if there are more. */
function listNonEmptyCollections({ request: { catalog } }: View): readonly Collection[] {
  const collections: Collection[] = [];
  const originalCatalog = unwrapCatalog(catalog);
  const numbers = catalog.numbers("collection").subarray(0, MAX_CHECKED_COLLECTIONS);
  for (const collection of readEntries(originalCatalog, "collection", numbers)) {
    if (originalCatalog.collectionProducts(collection.handle).length > 0) collections.push(collection);
    if (collections.length > MAX_COLLECTIONS) break;
  }
  return collections;
}

function listFooterLinks(view: View): readonly MenuLink[] {
  const { catalog, locale } = view.request;
  const originalCatalog = unwrapCatalog(catalog);
  const isPolicy = (handle: string): boolean => policyHandles.includes(handle);
  const pages: MenuLink[] = [];
  for (const page of readEntries(originalCatalog, "page", catalog.numbers("page"))) {
    if (isPolicy(page.handle)) continue;
    if (pages.length === MAX_PAGES) break;
    pages.push(createPageLink(localize(page, locale)));
  }
  const policies = policyHandles.flatMap((handle) => {
    const page = originalCatalog.page(handle);
    return page === undefined ? [] : [createPageLink(localize(page, locale))];
  });
  return [...pages, ...policies];
}

function createPageLink({ title, handle }: { readonly title: string; readonly handle: string }): MenuLink {
  return createLink(title, `/pages/${encodeURIComponent(handle)}`);
}

/** Creates a link. Title and URL must already be in the displayed language. */
function createLink(title: string, url: string): MenuLink {
  return { title, url, links: [], translations: {} };
}

import { getLocaleValue } from "../../../catalog/localize.ts";
import type { MenuLink } from "../../../config/settings.ts";
import { capitalize } from "../../../runtime/capitalize.ts";
import { addPathPrefix, type View } from "../../view.ts";
import { createLookup, findCollection, findPageByHandle, findProductByHandle } from "../lookups.ts";
import { createObjectType, type Lookup, TemplateObject } from "../template-object.ts";
import { createDerivedMenu } from "./derived-menus.ts";

/**
 * Creates the `linklists` object with all menus: `linklists['main-menu'].links`. The menus main-menu and footer exist
 * even if the settings do not define them.
 */
export function createLinkListsObject(view: View): Lookup {
  const { menus } = view.config;
  return createLookup(view, (handle) => {
    const links = Object.hasOwn(menus, handle) ? menus[handle] : createDerivedMenu(view, handle);
    return links === undefined ? undefined : new TemplateObject(linkListType, { view, handle, links });
  });
}

interface LinkListData {
  readonly view: View;
  readonly handle: string;
  readonly links: readonly MenuLink[];
}

interface LinkData {
  readonly view: View;
  readonly link: MenuLink;
}

const linkListType = createObjectType<LinkListData>(
  "linklist",
  {
    handle: ({ handle }) => handle,
    title: ({ view, handle }) => view.translate(`menus.${handle}`)?.text ?? capitalize(handle.replaceAll("-", " ")),
    links: ({ view, links }) => createLinks(view, links),
    levels: ({ links }) => countMenuLevels(links),
  },
  {},
  { fieldTypes: { links: "link[]" }, identity: ({ handle }) => handle },
);

const linkType = createObjectType<LinkData>(
  "link",
  {
    title: ({ view, link }) => getLocaleValue(link.translations, view.request.locale) ?? link.title,
    handle: ({ link }) => formatLinkHandle(link),
    url: ({ view, link }) => addPathPrefix(view, link.url),
    type: ({ link }) => parseLinkTarget(link)[0],
    links: ({ view, link }) => createLinks(view, link.links),
    levels: ({ link }) => countMenuLevels(link.links),
    active: ({ view, link }) => isActiveLink(view, link),
    current: ({ view, link }) => isActiveLink(view, link),
    child_active: ({ view, link }) => hasActiveLink(view, link.links),
    child_current: ({ view, link }) => hasActiveLink(view, link.links),
  },
  { object: (subject) => findLinkedObject(subject) },
  { fieldTypes: { links: "link[]" }, identity: ({ link }) => `${link.title} ${link.url}` },
);

function createLinks(view: View, links: readonly MenuLink[]): unknown[] {
  return links.map((link) => new TemplateObject(linkType, { view, link }));
}

function countMenuLevels(links: readonly MenuLink[]): number {
  return links.length === 0 ? 0 : 1 + Math.max(...links.map((link) => countMenuLevels(link.links)));
}

/** Returns an id for a link, made of the letters and digits of its title. */
function formatLinkHandle({ title }: MenuLink): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** Returns the target of a link: the type, such as "product_link", and the handle of the catalog entry. */
function parseLinkTarget({ url }: MenuLink): readonly [type: string, handle: string] {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const [, kind, handle = ""] = /^\/(collections|products|pages|blogs)\/([^/]+)$/.exec(path) ?? [];
  if (kind !== undefined) return [`${kind.slice(0, -1)}_link`, handle];
  const linkTypesByPath = new Map([
    ["/", "frontpage_link"],
    ["/collections", "catalog_link"],
    ["/search", "search_link"],
  ]);
  return [linkTypesByPath.get(path) ?? (path.startsWith("/blogs/") ? "article_link" : "http_link"), ""];
}

function findLinkedObject({ view, link }: LinkData): unknown {
  const [type, handle] = parseLinkTarget(link);
  if (type === "collection_link") return findCollection(view, handle);
  if (type === "product_link") return findProductByHandle(view, handle);
  return type === "page_link" ? findPageByHandle(view, handle) : undefined;
}

function isActiveLink(view: View, link: MenuLink): boolean {
  return link.url === view.path || (link.url !== "/" && view.path.startsWith(`${link.url}/`));
}

function hasActiveLink(view: View, links: readonly MenuLink[]): boolean {
  return links.some((link) => isActiveLink(view, link) || hasActiveLink(view, link.links));
}

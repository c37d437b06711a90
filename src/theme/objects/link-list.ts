import type { MenuLink } from "../../config.ts";
import { localPath, type View } from "../view.ts";
import { LookUp, objectType, TemplateObject } from "./template-object.ts";

/** The menus of the store's settings: `linklists['main-menu'].links`. */
export function linkListsObject(view: View): LookUp {
  const menus = new Map(Object.entries(view.config.menus));
  return new LookUp((handle) => {
    const links = menus.get(handle);
    return links === undefined ? undefined : new TemplateObject(linkListType, { view, handle, links });
  });
}

interface LinkList {
  readonly view: View;
  readonly handle: string;
  readonly links: readonly MenuLink[];
}

interface Link {
  readonly view: View;
  readonly link: MenuLink;
}

const linkListType = objectType<LinkList>("linklist", {
  handle: ({ handle }) => handle,
  title: ({ view, handle }) => view.translate(`menus.${handle}`)?.text ?? handle,
  links: ({ view, links }) => linkObjects(view, links),
  levels: ({ links }) => levels(links),
});

const linkType = objectType<Link>("link", {
  title: ({ view, link }) => new Map(Object.entries(link.translations)).get(view.request.locale) ?? link.title,
  url: ({ view, link }) => localPath(view, link.url),
  links: ({ view, link }) => linkObjects(view, link.links),
  levels: ({ link }) => levels(link.links),
  active: ({ view, link }) => isActive(view, link),
  current: ({ view, link }) => isActive(view, link),
  child_active: ({ view, link }) => hasActive(view, link.links),
  child_current: ({ view, link }) => hasActive(view, link.links),
});

function linkObjects(view: View, links: readonly MenuLink[]): unknown[] {
  return links.map((link) => new TemplateObject(linkType, { view, link }));
}

function levels(links: readonly MenuLink[]): number {
  return links.length === 0 ? 0 : 1 + Math.max(...links.map((link) => levels(link.links)));
}

function isActive(view: View, link: MenuLink): boolean {
  return link.url === view.path || (link.url !== "/" && view.path.startsWith(`${link.url}/`));
}

function hasActive(view: View, links: readonly MenuLink[]): boolean {
  return links.some((link) => isActive(view, link) || hasActive(view, link.links));
}

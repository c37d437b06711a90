import type { Context } from "@vitrine/liquid";
import { NamedArguments } from "@vitrine/liquid";
import { handleOf } from "../../catalog/rows/identity.ts";
import { escapeHtml } from "../../runtime/escape-html.ts";
import { createEscapedText, escapeTextOnce, renderAttribute, renderAttributes, SafeHtml } from "../liquid/safe-html.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { stateOf } from "../render-state.ts";
import { addPathPrefix, type View } from "../view.ts";
import { type Filter, type FilterFamily, readFieldText, splitArguments, textOf } from "./filter.ts";
import { sanitizeUrl } from "./images/image-url.ts";

export const linkFilters: FilterFamily = {
  /** Returns a link: `{{ 'Tea' | link_to: url, class: 'x' }}`. A string after the URL is the title. */
  link_to(value, ...args) {
    const [url, ...otherArgs] = args;
    return formatLink(value, textOf(url), otherArgs);
  },
  /** Returns a product's URL within a collection: `{{ product.url | within: collection }}`. */
  within(value, collection) {
    const path = textOf(value);
    const handle = readFieldText(collection, "handle");
    const { view } = stateOf(this);
    const prefixLength = path.startsWith(addPathPrefix(view, "/products/")) ? view.prefix.length : -1;
    if (handle === "" || prefixLength < 0) return path;
    return `${addPathPrefix(view, `/collections/${encodeURIComponent(handle)}`)}${path.slice(prefixLength)}`;
  },
  /** Adds a sort order to a collection's URL: `{{ collection.url | sort_by: 'title-ascending' }}`. */
  sort_by(value, order) {
    const url = textOf(value);
    return `${url}${url.includes("?") ? "&" : "?"}sort_by=${encodeURIComponent(textOf(order).toWellFormed())}`;
  },
  url_for_type: createListFilter("product_type"),
  url_for_vendor: createListFilter("vendor"),
  link_to_type: createFilteredListLink("product_type"),
  link_to_vendor: createFilteredListLink("vendor"),
  /** Returns a link to the current collection or blog, filtered only by the given tag. */
  link_to_tag(value, tag, ...otherArgs) {
    return formatLink(
      value,
      getTaggedListUrl(this, [textOf(tag)]),
      otherArgs,
      `Show products matching tag ${textOf(tag)}`,
    );
  },
  link_to_add_tag(value, tag, ...otherArgs) {
    const tags = [...getCurrentTags(this).filter((handle) => handle !== handleOf(textOf(tag))), textOf(tag)];
    return formatLink(
      value,
      getTaggedListUrl(this, tags),
      otherArgs,
      `Narrow selection to products matching tag ${textOf(tag)}`,
    );
  },
  link_to_remove_tag(value, tag, ...otherArgs) {
    const tags = getCurrentTags(this).filter((handle) => handle !== handleOf(textOf(tag)));
    return formatLink(value, getTaggedListUrl(this, tags), otherArgs, `Remove tag ${textOf(tag)}`);
  },
  /** Wraps a tag's name in a `span` if the current page is filtered by this tag. */
  highlight_active_tag(value, className = "active") {
    const text = textOf(value);
    if (!getCurrentTags(this).includes(handleOf(text))) return createEscapedText(text);
    return new SafeHtml(`<span${renderAttribute("class", textOf(className))}>${escapeHtml(text)}</span>`, text);
  },
  edit_customer_address_link: createAddressLink("toggleForm"),
  delete_customer_address_link: createAddressLink("destroy"),
  customer_login_link: createPathLink("/account/login", "customer_login_link"),
  customer_logout_link: createPathLink("/account/logout", "customer_logout_link"),
  customer_register_link: createPathLink("/account/register", "customer_register_link"),
};

/** Replaces a URL that would run a script, such as `javascript:`. */
export function sanitizeLinkUrl(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\u0000-\u0020]/g, ""))?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto", "tel"].includes(scheme) ? sanitizeUrl(url) : "#";
}

/** Returns a link.  @param title default title, if the template passes none */
function formatLink(value: unknown, url: string, args: readonly unknown[], title?: string): SafeHtml {
  const { positionalArgs, namedArgs } = splitArguments(args);
  const text = value instanceof SafeHtml ? value : escapeTextOnce(textOf(value));
  const attributes = new Map<string, unknown>([["href", sanitizeLinkUrl(url)]]);
  const linkTitle = positionalArgs[0] ?? title;
  if (linkTitle !== undefined) attributes.set("title", textOf(linkTitle));
  for (const [name, value] of namedArgs) if (name !== "href") attributes.set(name, textOf(value));
  return new SafeHtml(`<a${renderAttributes(attributes)}>${text.html}</a>`, text.text);
}

function createListFilter(field: string): Filter {
  return function (value) {
    return formatListUrl(stateOf(this).view, field, textOf(value));
  };
}

function createFilteredListLink(field: string): Filter {
  return function (value, ...args) {
    return formatLink(value, formatListUrl(stateOf(this).view, field, textOf(value)), args, textOf(value));
  };
}

/** Returns the URL of all products, filtered by one vendor or type. */
function formatListUrl(view: View, field: string, value: string): string {
  return addPathPrefix(view, `/collections/all?filter.p.${field}=${encodeURIComponent(value.toWellFormed())}`);
}

function createPathLink(path: string, id: string): Filter {
  return function (value, ...args) {
    return formatLink(value, addPathPrefix(stateOf(this).view, path), [...args, new NamedArguments([["id", id]])]);
  };
}

/**
 * Creates a filter that makes a text the link of an address. The link calls a function of the script `vintage.js`, which
 * only themes in the compatibility mode load. Other themes get the text.
 */
function createAddressLink(functionName: "toggleForm" | "destroy"): Filter {
  return function (value, id) {
    const text = createEscapedText(textOf(value));
    if (!stateOf(this).view.config.compat.script) return text;
    const idText = textOf(id);
    const call = `Shopify.CustomerAddress.${functionName}(${/^\d+$/.test(idText) ? idText : JSON.stringify(idText)});return false`;
    return new SafeHtml(`<a href="#"${renderAttribute("onclick", call)}>${text.html}</a>`, text.text);
  };
}

/**
 * Returns the URL of the current list filtered by tags: "/collections/bags/linen+red", "/blogs/news/tagged/tea".
 * Without tags, returns the collection or blog.
 */
function getTaggedListUrl(call: Context, tags: readonly string[]): string {
  const { globals, view } = stateOf(call);
  const blog = globals.field("blog");
  const handles = tags.map((tag) => encodeURIComponent(handleOf(tag))).join("+");
  if (blog instanceof TemplateObject) return readFieldText(blog, "url") + (handles === "" ? "" : `/tagged/${handles}`);
  const url = readFieldText(globals.field("collection"), "url");
  const baseUrl = url === "" ? addPathPrefix(view, "/collections/all") : url;
  return handles === "" ? baseUrl : `${baseUrl}/${handles}`;
}

function getCurrentTags(call: Context): readonly string[] {
  const tags = stateOf(call).globals.field("current_tags");
  return Array.isArray(tags) ? tags.map((tag) => handleOf(textOf(tag))) : [];
}

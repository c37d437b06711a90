import type { Catalog } from "../../catalog/catalog.ts";
import { localPath, type View } from "../view.ts";
import { articleObject, isOut } from "./article.ts";
import { type Listing, numberListing } from "./listing.ts";
import { objectType, TemplateObject } from "./template-object.ts";

interface Subject {
  readonly view: View;
  readonly handle: string;
  readonly articles: Listing;
}

/** @returns undefined where no article is in a blog of that name */
export function blogObject(view: View, handle: string): TemplateObject<Subject> | undefined {
  const { catalog, now } = view.request;
  const written = articlesByBlog(catalog).get(handle);
  if (written === undefined) return undefined;
  const articles = numberListing(
    () => written.filter(({ time }) => !(time > now)).map(({ number }) => number),
    (number) => {
      const entry = catalog.entry(number);
      return entry?.kind === "article" && isOut(entry, now) ? articleObject(view, entry) : undefined;
    },
  );
  return new TemplateObject(blogType, { view, handle, articles });
}

/** A blog has no entry of its own; its name is its handle's words. */
export function blogTitle(view: View, handle: string): string {
  const words = handle.replaceAll("-", " ");
  return view.translate(`blogs.${handle}.title`)?.text ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const blogType = objectType<Subject>(
  "blog",
  {
    id: ({ handle }) => handle,
    handle: ({ handle }) => handle,
    title: ({ view, handle }) => blogTitle(view, handle),
    url: ({ view, handle }) => localPath(view, `/blogs/${encodeURIComponent(handle)}`),
    articles_count: ({ articles }) => articles.total(),
  },
  {
    articles: ({ articles }) => articles,
    "comments_enabled?": () => false,
    all_tags: () => [],
    tags: () => [],
  },
);

interface Dated {
  readonly number: number;
  /** Milliseconds since 1970; minus infinity for an article without a date. */
  readonly time: number;
}

/** Newest first; worked out once a catalogue. */
function articlesByBlog(catalog: Catalog): ReadonlyMap<string, readonly Dated[]> {
  let blogs = blogsOf.get(catalog);
  if (blogs === undefined) {
    blogs = new Map<string, Dated[]>();
    for (const number of catalog.numbers("article")) {
      const article = catalog.entry(number);
      if (article?.kind !== "article") continue;
      const time = article.publishedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(article.publishedAt);
      const known = blogs.get(article.blog);
      if (known === undefined) blogs.set(article.blog, [{ number, time }]);
      else known.push({ number, time });
    }
    for (const articles of blogs.values()) articles.sort(newestFirst);
    blogsOf.set(catalog, blogs);
  }
  return blogs;
}

function newestFirst(left: Dated, right: Dated): number {
  return left.time === right.time ? 0 : left.time < right.time ? 1 : -1;
}

const blogsOf = new WeakMap<Catalog, Map<string, Dated[]>>();

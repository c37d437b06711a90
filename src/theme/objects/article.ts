import type { Article } from "../../catalog/article.ts";
import { localize } from "../../catalog/localize.ts";
import { localPath, type View } from "../view.ts";
import { imageObject } from "./image.ts";
import { noMetafields } from "./metafields.ts";
import { objectType, TemplateObject } from "./template-object.ts";
import { idOf } from "./variant.ts";

interface Subject {
  readonly view: View;
  readonly article: Article;
}

/** @param article in any language; it is translated here */
export function articleObject(view: View, article: Article): TemplateObject<Subject> {
  return new TemplateObject(articleType, { view, article: localize(article, view.request.locale) });
}

const articleType = objectType<Subject>(
  "article",
  {
    id: ({ article }) => idOf(article.id),
    title: ({ article }) => article.title,
    handle: ({ article }) => `${article.blog}/${article.handle}`,
    url: ({ view, article }) =>
      localPath(view, `/blogs/${encodeURIComponent(article.blog)}/${encodeURIComponent(article.handle)}`),
    content: ({ article }) => article.content,
    excerpt: ({ article }) => article.excerpt,
    excerpt_or_content: ({ article }) => (article.excerpt === "" ? article.content : article.excerpt),
    author: ({ article }) => article.author,
    tags: ({ article }) => article.tags,
    published_at: ({ article }) => article.publishedAt,
    created_at: ({ article }) => article.publishedAt,
    image: ({ article }) => imageObject(article.image, article.title),
  },
  {
    featured_image: ({ article }) => imageObject(article.image, article.title),
    blog: ({ view, article }) => view.objects.blog(view, article.blog),
    "comments_enabled?": () => false,
    comments_count: () => 0,
    comments: () => [],
    "moderated?": () => false,
    metafields: () => noMetafields,
    user: ({ article }) => userObject(article.author),
    updated_at: ({ article }) => article.publishedAt,
  },
  {
    absent: "template_suffix comment_post_url",
    returns: { image: "image", featured_image: "image", blog: "blog", user: "user", metafields: "metafields" },
    identity: ({ article }) => article.id,
  },
);

/** Who wrote an article; the name is all that is known. */
function userObject(name: string): TemplateObject<string> | undefined {
  return name === "" ? undefined : new TemplateObject(userType, name);
}

const userType = objectType<string>(
  "user",
  {
    name: (name) => name,
    first_name: (name) => name.split(" ", 1)[0],
    last_name: (name) => name.split(" ").slice(1).join(" "),
  },
  {},
  { absent: "account_owner bio email homepage image" },
);

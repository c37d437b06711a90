import { type Article, articlePath } from "../../../catalog/content.ts";
import { localize } from "../../../catalog/localize.ts";
import { articleImage, articlePresenter, type ShownArticle } from "../../../catalog/presenters/content.ts";
import { localPath, type View } from "../../view.ts";
import { imageAddress, imageObject } from "../image.ts";
import { noMetafields } from "../metafields.ts";
import { objectType, TemplateObject } from "../template-object.ts";
import { templateSuffix } from "../template-suffix.ts";
import { commentCount, commentList } from "./comment.ts";

interface Subject extends ShownArticle {
  readonly view: View;
}

/** @param article in any language; it is translated here */
export function articleObject(view: View, article: Article): TemplateObject<Subject> {
  const { request, prefix } = view;
  return new TemplateObject(articleType, { view, article: localize(article, request.locale), prefix });
}

const articleType = objectType<Subject>(
  "article",
  {
    ...articlePresenter,
    excerpt_or_content: ({ article }) => (article.excerpt === "" ? article.content : article.excerpt),
    created_at: ({ article }) => article.publishedAt,
    image: ({ article }) => imageAddress(articleImage(article)),
    featured_image: ({ article }) => imageObject(articleImage(article)),
  },
  {
    blog: ({ view, article }) => view.objects.blog(view, article.blog),
    "comments_enabled?": ({ view }) => view.config.comments,
    comments_count: ({ view, article }) => commentCount(view, article),
    comments: ({ view, article }) => commentList(view, article),
    "moderated?": ({ view }) => view.config.comments,
    comment_post_url: ({ view, article }) => localPath(view, `${articlePath(article)}/comments`),
    metafields: () => noMetafields,
    template_suffix: ({ view, article }) => templateSuffix(view, `/blogs/${article.blog}/${article.handle}`, article),
    user: ({ article }) => userObject(article.author),
    updated_at: ({ article }) => article.publishedAt,
  },
  {
    absent: "template_suffix",
    returns: {
      comments: "comment[]",
      image: "image",
      featured_image: "image",
      blog: "blog",
      user: "user",
      metafields: "metafields",
    },
    identity: ({ article }) => article.id,
  },
);

/** The author of an article; only the name is known. */
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

import { type Article, type Comment, formatArticlePath } from "../../../catalog/content.ts";
import { localize } from "../../../catalog/localize.ts";
import { type ArticleView, articlePresenter, getOwnImage } from "../../../catalog/presenters/content.ts";
import { escapeHtml } from "../../../runtime/escape-html.ts";
import { createEscapedText, SafeHtml } from "../../liquid/safe-html.ts";
import { addPathPrefix, type View } from "../../view.ts";
import { createImageObject, createImageUrlObject } from "../image.ts";
import { Listing } from "../listing.ts";
import { emptyMetafields } from "../metafields.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { readTemplateSuffix } from "../template-suffix.ts";

interface ArticleData extends ArticleView {
  readonly view: View;
}

/** Creates an `article` object in the page's language.  @param article article in any language */
export function createArticleObject(view: View, article: Article): TemplateObject<ArticleData> {
  const { request, prefix } = view;
  return new TemplateObject(articleType, { view, article: localize(article, request.locale), prefix });
}

const articleType = createObjectType<ArticleData>(
  "article",
  {
    ...articlePresenter,
    excerpt_or_content: ({ article }) => (article.excerpt === "" ? article.content : article.excerpt),
    created_at: ({ article }) => article.publishedAt,
    image: ({ article }) => createImageUrlObject(getOwnImage(article)),
    featured_image: ({ article }) => createImageObject(getOwnImage(article)),
  },
  {
    blog: ({ view, article }) => view.objects.blog(view, article.blog),
    "comments_enabled?": ({ view }) => view.config.comments,
    comments_count: ({ view, article }) => countComments(view, article),
    comments: ({ view, article }) => listComments(view, article),
    "moderated?": ({ view }) => view.config.comments,
    comment_post_url: ({ view, article }) => addPathPrefix(view, `${formatArticlePath(article)}/comments`),
    metafields: () => emptyMetafields,
    template_suffix: ({ view, article }) =>
      readTemplateSuffix(view, `/blogs/${article.blog}/${article.handle}`, article),
    user: ({ article }) => createUserObject(article.author),
    updated_at: ({ article }) => article.publishedAt,
  },
  {
    fieldTypes: {
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

/** Creates the author of an article. Only the name is known. */
function createUserObject(name: string): TemplateObject<string> | undefined {
  return name === "" ? undefined : new TemplateObject(userType, name);
}

const userType = createObjectType<string>(
  "user",
  {
    name: (name) => name,
    first_name: (name) => name.split(" ", 1)[0],
    last_name: (name) => name.split(" ").slice(1).join(" "),
  },
  {},
  { emptyFields: "account_owner bio email homepage image" },
);

interface CommentData {
  readonly comment: Comment;
  /** URL of the article's page, in the displayed language. */
  readonly url: string;
}

type ArticleIdentity = Parameters<typeof formatArticlePath>[0];

/** Returns the number of published comments of an article. */
export function countComments({ request }: View, article: ArticleIdentity): number {
  const path = formatArticlePath(article);
  const articleComments = request.comments?.articleComments;
  return articleComments?.path === path ? articleComments.comments.length : (request.comments?.counts.get(path) ?? 0);
}

/** Returns the comments on the page's article, oldest first. `paginate` selects a page of them. */
export function listComments(view: View, article: ArticleIdentity): Listing {
  const path = formatArticlePath(article);
  const articleComments = view.request.comments?.articleComments;
  const comments = articleComments?.path === path ? articleComments.comments : [];
  const url = addPathPrefix(view, path);
  return new Listing(
    () => comments.length,
    (offset, limit) =>
      comments.slice(offset, offset + limit).map((comment) => new TemplateObject(commentType, { comment, url })),
  );
}

/** Comments contain text from visitors, so every string is escaped. */
const commentType = createObjectType<CommentData>(
  "comment",
  {
    id: ({ comment }) => comment.id,
    author: ({ comment }) => createEscapedText(comment.author),
    email: ({ comment }) => createEscapedText(comment.email),
    content: ({ comment }) => new SafeHtml(formatParagraphs(comment.text), comment.text),
    created_at: ({ comment }) => new Date(comment.sentAt).toISOString(),
    updated_at: ({ comment }) => new Date(comment.approvedAt).toISOString(),
    status: () => "published",
    url: ({ comment, url }) => `${url}#${comment.id}`,
  },
  {},
  { identity: ({ comment }) => comment.id },
);

/** Converts plain text to HTML. Blank lines separate paragraphs. Other line breaks become `<br>`. */
function formatParagraphs(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== "")
    .map((part) => `<p>${escapeHtml(part.trim()).replaceAll("\n", "<br>")}</p>`)
    .join("");
}

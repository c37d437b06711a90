import { articlePath, type Comment } from "../../../catalog/content.ts";
import { escapeHtml, SafeHtml, safeText } from "../../liquid/safe-html.ts";
import { localPath, type View } from "../../view.ts";
import { Listing } from "../listing.ts";
import { objectType, TemplateObject } from "../template-object.ts";

interface Subject {
  readonly comment: Comment;
  /** URL of the article's page, in the render's language. */
  readonly url: string;
}

type ArticleName = Parameters<typeof articlePath>[0];

/** Number of published comments of an article. */
export function commentCount({ request }: View, article: ArticleName): number {
  const path = articlePath(article);
  const shown = request.comments?.shown;
  return shown?.path === path ? shown.comments.length : (request.comments?.counts.get(path) ?? 0);
}

/** Comments of the page's article, oldest first; `paginate` shows a part of them. */
export function commentList(view: View, article: ArticleName): Listing {
  const path = articlePath(article);
  const shown = view.request.comments?.shown;
  const comments = shown?.path === path ? shown.comments : [];
  const url = localPath(view, path);
  return new Listing(
    () => comments.length,
    (offset, limit) =>
      comments.slice(offset, offset + limit).map((comment) => new TemplateObject(commentType, { comment, url })),
  );
}

/** Visitors wrote it: every text is escaped, so that themes can print it. */
const commentType = objectType<Subject>(
  "comment",
  {
    id: ({ comment }) => comment.id,
    author: ({ comment }) => safeText(comment.author),
    email: ({ comment }) => safeText(comment.email),
    content: ({ comment }) => new SafeHtml(paragraphs(comment.text), comment.text),
    created_at: ({ comment }) => new Date(comment.sentAt).toISOString(),
    updated_at: ({ comment }) => new Date(comment.approvedAt).toISOString(),
    status: () => "published",
    url: ({ comment, url }) => `${url}#${comment.id}`,
  },
  {},
  { identity: ({ comment }) => comment.id },
);

/** Blank lines separate paragraphs; other line ends become line breaks. */
function paragraphs(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== "")
    .map((part) => `<p>${escapeHtml(part.trim()).replaceAll("\n", "<br>")}</p>`)
    .join("");
}

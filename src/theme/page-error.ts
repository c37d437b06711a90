/** Thrown with an error page for the theme's author if a page cannot be rendered. Shoppers never see this page. */
export class PageError extends Error {
  /** The error page as a complete HTML document. */
  readonly html: string;

  constructor(html: string, cause: unknown) {
    super("a page could not be made", { cause });
    this.html = html;
  }
}

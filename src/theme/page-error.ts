/** An error page for the theme's author in place of a page that cannot be rendered. Shoppers never see this page. */
export class PageError extends Error {
  /** Complete HTML page. */
  readonly html: string;

  constructor(html: string, cause: unknown) {
    super("a page could not be made", { cause });
    this.html = html;
  }
}

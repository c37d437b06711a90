/** A page that could not be made, with what its author is shown instead of it; shoppers never meet one. */
export class PageFault extends Error {
  /** A whole page. */
  readonly html: string;

  constructor(html: string, cause: unknown) {
    super("a page could not be made", { cause });
    this.html = html;
  }
}

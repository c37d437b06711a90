/** Maximum characters of HTML in a section. */
export const maxText = 1_000_000;
/** Maximum characters of HTML in a page. */
export const maxPage = 5_000_000;

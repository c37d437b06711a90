/** Maximum characters of HTML of a section. */
export const maxText = 1_000_000;
/** Maximum characters of a page. */
export const maxPage = 5_000_000;

/** Maximum characters of HTML in a section. */
export const maxSectionLength = 1_000_000;
/** Maximum characters of HTML in a page. */
export const maxPageLength = 5_000_000;

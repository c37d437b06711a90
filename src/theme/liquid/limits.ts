/** Maximum length of a section's HTML in characters. */
export const maxSectionLength = 1_000_000;
/** Maximum length of a page's HTML in characters. */
export const maxPageLength = 5_000_000;

/**
 * Maximum length of a section's HTML in characters. Grids of 50 products have 2,000,000 in themes whose cards have a
 * gallery.
 */
export const maxSectionLength = 3_000_000;
/** Maximum length of a page's HTML in characters. */
export const maxPageLength = 5_000_000;

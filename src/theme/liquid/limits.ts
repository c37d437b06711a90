/**
 * Maximum length of a section's HTML in characters. In some themes, a grid of 50 products, each with an image gallery,
 * has about 2,000,000 characters.
 */
export const maxSectionLength = 3_000_000;
/** Maximum length of a page's HTML in characters. */
export const maxPageLength = 5_000_000;

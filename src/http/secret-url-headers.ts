/** Headers of a page whose URL is a secret, such as the page of an order. */
export const secretUrlHeaders = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex" } as const;

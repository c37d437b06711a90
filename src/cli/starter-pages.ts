import { getMessages, type MessageKey } from "../messages/messages.ts";

/** Policies by handle: the title, and the data that a merchant has to fill in, such as the address. */
const policies: Readonly<Record<string, readonly [title: MessageKey, ...paragraphs: (readonly MessageKey[])[]]>> = {
  "refund-policy": [
    "policies.refund",
    ["policies.returnPeriod"],
    ["policies.returnCosts"],
    ["policies.company", "policies.address"],
  ],
  "privacy-policy": [
    "policies.privacy",
    ["policies.personalData"],
    ["policies.company", "policies.address", "fields.email"],
  ],
  "terms-of-service": ["policies.terms", ["policies.yourTerms"]],
  "shipping-policy": ["policies.shipping", ["policies.deliveryTimes"]],
  "legal-notice": [
    "policies.legalNotice",
    ["policies.company", "policies.address"],
    ["fields.email", "policies.phone"],
    ["invoice.vatId"],
  ],
  "contact-information": [
    "policies.contact",
    ["policies.company", "policies.address"],
    ["fields.email", "policies.phone"],
  ],
};

/**
 * Creates the policy pages of a new store as JSON lines. They contain only placeholders, such as `[[Address]]`.
 * @param language language of the store, such as "de"
 */
export function createPolicyPages(language: string): string {
  const messages = getMessages(language);
  const pages = Object.entries(policies).map(([handle, [title, ...paragraphs]]) => {
    const content = paragraphs
      .map((keys) => `<p>${keys.map((key) => `[[${messages(key)}]]`).join("<br>")}</p>`)
      .join("");
    return { kind: "page", handle, title: messages(title), content };
  });
  return pages.map((page) => `${JSON.stringify(page)}\n`).join("");
}

/**
 * Creates the page about the shop of a new store as a JSON line. It contains a placeholder. The home page shows the text
 * that replaces it.
 * @param language language of the store, such as "de"
 */
export function createAboutPage(language: string): string {
  const messages = getMessages(language);
  const content = `<p>[[${messages("pages.introduction")}]]</p>`;
  return `${JSON.stringify({ kind: "page", handle: "about", title: messages("pages.about"), content })}\n`;
}

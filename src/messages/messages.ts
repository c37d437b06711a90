/** What the server itself says to shoppers, in one language. Themes have texts of their own in `locales/`. */
export interface Messages {
  /** Names of a form's fields, as they begin a sentence. */
  readonly fields: Readonly<Record<"author" | "body" | "country" | "email", string>>;
  /** What is wrong with a field; its name stands before it. */
  readonly faults: {
    readonly blank: string;
    readonly email: string;
    readonly tooLong: (characters: number) => string;
    readonly unsupported: string;
  };
  /** Titles of collections that the merchant has not made. */
  readonly collections: { readonly all: string };
  readonly cart: CartMessages;
  readonly mails: MailMessages;
  /** What is wrong with a form as a whole. */
  readonly forms: {
    readonly tooManyFields: (most: number) => string;
    readonly tooMuch: string;
    readonly notKept: string;
    readonly loginFailed: string;
    readonly accountFailed: string;
  };
  /** What products are filtered by, as labels. */
  readonly facets: Readonly<
    Record<"availability" | "inStock" | "soldOut" | "price" | "productType" | "vendor" | "tag", string>
  >;
  /** How an order stands, as a label. */
  readonly orders: Readonly<Record<"paid" | "pending" | "voided" | "unfulfilled" | "fulfilled", string>>;
}

/** Texts of mails: subjects, sentences and labels. Amounts are formatted. */
export interface MailMessages {
  readonly ordered: (number: number, shop: string) => string;
  readonly thanks: (number: number) => string;
  readonly cancelled: (number: number, shop: string) => string;
  readonly wasCancelled: (number: number) => string;
  readonly shipped: (number: number, shop: string) => string;
  readonly wasShipped: (number: number) => string;
  readonly carrier: string;
  readonly trackingNumber: string;
  /** A link to the carrier's page. */
  readonly track: string;
  readonly messageFrom: (email: string) => string;
  /** The subject of the merchant's mail. */
  readonly newOrder: (number: number, amount: string) => string;
  /** A link to the console's page of an order. */
  readonly openOrder: string;
  readonly subtotal: string;
  readonly discount: string;
  readonly delivery: string;
  /** @param rate "19%" */
  readonly taxAdded: (rate: string) => string;
  readonly taxIncluded: (rate: string) => string;
  readonly total: string;
  /** What gift cards and store credit paid. */
  readonly balance: string;
  readonly paid: string;
  readonly toPay: string;
  /** What happens next with an order that is not paid. */
  readonly paymentPending: string;
  /** Of canceled orders. */
  readonly refund: (amount: string) => string;
  readonly balanceReturned: (amount: string) => string;
  readonly nothingToPay: string;
  readonly sentTo: string;
  readonly note: string;
  /** A link to the order's page. */
  readonly state: string;
}

/** Of a cart: sentences with their full stop. A title names a variant beside others. */
export interface CartMessages {
  readonly soldOut: (title: string) => string;
  /** @param rule as `rule` words it; "": stock alone is the reason */
  readonly only: (available: number, title: string, rule: string) => string;
  /** "from 5 to 20 in steps of 5" @param max absent: no end */
  readonly rule: (min: number, max: number | undefined, increment: number) => string;
  /** @param quantity what the line holds now; 0: it is gone */
  readonly soldBy: (title: string, rule: string, quantity: number) => string;
  /** Continues what was said. @param quantity what the line holds now */
  readonly setTo: (said: string, quantity: number) => string;
  readonly alreadyIn: (said: string, inCart: number) => string;
  readonly removed: (title: string) => string;
  readonly priceChanged: (title: string, before: string, after: string) => string;
  readonly priceUnknown: string;
  readonly codeNotApplicable: (code: string) => string;
  readonly cardNotApplicable: (code: string) => string;
  readonly codeSlowed: (code: string) => string;
  readonly cardSlowed: (code: string) => string;
  /** @param names separated by commas */
  readonly attributesNotKept: (names: string) => string;
  readonly membersOnly: (title: string) => string;
  readonly tooMany: (most: number) => string;
  readonly tooManyLines: (most: number) => string;
  readonly noVariant: string;
}

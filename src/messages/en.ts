import type { Messages } from "./messages.ts";

export const en: Messages = {
  fields: { author: "Name", body: "Text", country: "Country", email: "E-mail" },
  faults: {
    blank: "can't be blank",
    email: "must be an address like name@example.com",
    tooLong: (characters) => `has more than ${characters} characters`,
    unsupported: "is not supported",
  },
  collections: { all: "All products" },
  cart: {
    soldOut: (title) => `${title} is sold out.`,
    only: (available, title, rule) => `Only ${available} of ${title} can be had${rule === "" ? "" : `, sold ${rule}`}.`,
    rule: (min, max, increment) =>
      (max === undefined ? `from ${min} upwards` : `from ${min} to ${max}`) +
      (increment > 1 ? ` in steps of ${increment}` : ""),
    soldBy: (title, rule, quantity) =>
      `${title} is sold ${rule}: ${quantity === 0 ? "it was taken out of the cart" : `the quantity was set to ${quantity}`}.`,
    setTo: (said, quantity) => `${said.slice(0, -1)}: the quantity was set to ${quantity}.`,
    alreadyIn: (said, inCart) => `${said.slice(0, -1)}, and ${inCart} of them are in the cart already.`,
    removed: (title) => `${title} is no longer sold and was taken out of the cart.`,
    priceChanged: (title, before, after) => `The price of ${title} has changed from ${before} to ${after}.`,
    priceUnknown: "Some prices and discounts cannot be told now: the cart is kept, and can be ordered once they can.",
    codeNotApplicable: (code) => `The discount code ${code} does not apply to this cart.`,
    cardNotApplicable: (code) => `The gift card ${code} does not apply to this cart.`,
    codeSlowed: (code) =>
      `The discount code ${code} was not looked at, as many codes were tried: try again in a minute.`,
    cardSlowed: (code) => `The gift card ${code} was not looked at, as many codes were tried: try again in a minute.`,
    membersOnly: (title) => `${title} is for signed-in customers: sign in and try again.`,
    tooMany: (most) => `At most ${most} of one item can be in a cart.`,
    tooManyLines: (most) => `A cart holds at most ${most} lines.`,
    noVariant: "No variant has this id.",
  },
  forms: {
    tooManyFields: (most) => `A form has at most ${most} fields.`,
    tooMuch: "Much was sent from here just now: please send it again in a minute.",
    loginFailed: "The e-mail address or the password is not right.",
    accountFailed: "This could not be done: look at what you entered and try again.",
    notKept: "This could not be kept just now: please send it again in a moment.",
  },
  orders: {
    paid: "Paid",
    pending: "Payment pending",
    voided: "Voided",
    unfulfilled: "Unfulfilled",
    fulfilled: "Shipped",
  },
  mails: {
    ordered: (number, shop) => `Order #${number} at ${shop}`,
    thanks: (number) => `Thank you for your order #${number}.`,
    cancelled: (number, shop) => `Your order #${number} at ${shop} was cancelled`,
    wasCancelled: (number) => `Your order #${number} was cancelled.`,
    shipped: (number, shop) => `Your order #${number} at ${shop} is on its way`,
    wasShipped: (number) => `Your order #${number} is on its way.`,
    carrier: "Carrier",
    trackingNumber: "Tracking number",
    track: "Follow the parcel",
    messageFrom: (email) => `Message from ${email}`,
    discount: "Discount",
    delivery: "Delivery",
    balance: "Gift card or store credit",
    toPay: "To pay",
    sentTo: "Sent to",
    note: "Note",
    state: "The state of your order",
  },
};

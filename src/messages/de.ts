import type { Messages } from "./messages.ts";

export const de: Messages = {
  fields: { author: "Name", body: "Text", country: "Land", email: "E-Mail" },
  faults: {
    blank: "muss ausgefüllt werden",
    email: "muss eine Adresse wie name@example.com sein",
    tooLong: (characters) => `hat mehr als ${characters} Zeichen`,
    unsupported: "wird nicht beliefert",
  },
  collections: { all: "Alle Produkte" },
  cart: {
    soldOut: (title) => `${title} ist ausverkauft.`,
    only: (available, title, rule) =>
      `Von ${title} sind nur ${available} zu haben${rule === "" ? "" : `, verkauft wird ${rule}`}.`,
    rule: (min, max, increment) =>
      (max === undefined ? `ab ${min}` : `von ${min} bis ${max}`) +
      (increment > 1 ? ` in Schritten von ${increment}` : ""),
    soldBy: (title, rule, quantity) =>
      `${title} wird ${rule} verkauft: ${quantity === 0 ? "der Artikel wurde aus dem Warenkorb genommen" : `die Menge ist jetzt ${quantity}`}.`,
    setTo: (said, quantity) => `${said.slice(0, -1)}: die Menge ist jetzt ${quantity}.`,
    alreadyIn: (said, inCart) => `${said.slice(0, -1)}, davon liegen ${inCart} schon im Warenkorb.`,
    removed: (title) => `${title} wird nicht mehr verkauft und wurde aus dem Warenkorb genommen.`,
    priceChanged: (title, before, after) => `Der Preis von ${title} hat sich von ${before} auf ${after} geändert.`,
    priceUnknown:
      "Einige Preise und Rabatte sind gerade nicht bekannt: Der Warenkorb bleibt erhalten und kann bestellt werden, sobald sie es sind.",
    codeNotApplicable: (code) => `Der Rabattcode ${code} gilt für diesen Warenkorb nicht.`,
    cardNotApplicable: (code) => `Die Geschenkkarte ${code} gilt für diesen Warenkorb nicht.`,
    codeSlowed: (code) =>
      `Der Rabattcode ${code} wurde nicht geprüft, weil viele Codes versucht wurden: Versuchen Sie es in einer Minute noch einmal.`,
    cardSlowed: (code) =>
      `Die Geschenkkarte ${code} wurde nicht geprüft, weil viele Codes versucht wurden: Versuchen Sie es in einer Minute noch einmal.`,
    attributesNotKept: (names) => `Der Warenkorb speichert diese Angaben nicht: ${names}.`,
    membersOnly: (title) =>
      `${title} gibt es nur für angemeldete Kunden: Melden Sie sich an und versuchen Sie es noch einmal.`,
    tooMany: (most) => `Von einem Artikel können höchstens ${most} im Warenkorb liegen.`,
    tooManyLines: (most) => `Ein Warenkorb hat höchstens ${most} Positionen.`,
    noVariant: "Diese Variante gibt es nicht.",
  },
  forms: {
    tooManyFields: (most) => `Ein Formular hat höchstens ${most} Felder.`,
    tooMuch: "Von hier wurde gerade viel gesendet: Bitte senden Sie es in einer Minute noch einmal.",
    loginFailed: "E-Mail-Adresse oder Passwort ist nicht richtig.",
    accountFailed: "Das ging nicht: Prüfen Sie Ihre Eingaben und versuchen Sie es noch einmal.",
    notKept: "Das konnte gerade nicht gespeichert werden: Bitte senden Sie es gleich noch einmal.",
  },
  facets: {
    availability: "Verfügbarkeit",
    inStock: "Vorrätig",
    soldOut: "Ausverkauft",
    price: "Preis",
    productType: "Produkttyp",
    vendor: "Hersteller",
    tag: "Schlagwörter",
  },
  orders: {
    paid: "Bezahlt",
    pending: "Zahlung ausstehend",
    voided: "Storniert",
    unfulfilled: "Noch nicht versandt",
    fulfilled: "Versandt",
  },
  mails: {
    ordered: (number, shop) => `Bestellung #${number} bei ${shop}`,
    thanks: (number) => `Vielen Dank für Ihre Bestellung #${number}.`,
    cancelled: (number, shop) => `Ihre Bestellung #${number} bei ${shop} wurde storniert`,
    wasCancelled: (number) => `Ihre Bestellung #${number} wurde storniert.`,
    shipped: (number, shop) => `Ihre Bestellung #${number} bei ${shop} ist unterwegs`,
    wasShipped: (number) => `Ihre Bestellung #${number} ist unterwegs.`,
    carrier: "Versanddienst",
    trackingNumber: "Sendungsnummer",
    track: "Sendung verfolgen",
    messageFrom: (email) => `Nachricht von ${email}`,
    newOrder: (number, amount) => `Neue Bestellung #${number}: ${amount}`,
    openOrder: "Bestellung öffnen",
    subtotal: "Zwischensumme",
    discount: "Rabatt",
    delivery: "Versand",
    taxAdded: (rate) => `zzgl. ${rate} MwSt.`,
    taxIncluded: (rate) => `Inkl. ${rate} MwSt.`,
    total: "Gesamt",
    balance: "Gutschein oder Guthaben",
    paid: "Bezahlt",
    toPay: "Zu zahlen",
    paymentPending: "Die Zahlung steht noch aus. Wir melden uns dazu bei Ihnen.",
    refund: (amount) => `Wir erstatten Ihnen Ihre Zahlung von ${amount}.`,
    balanceReturned: (amount) => `${amount} wurden Ihrem Gutschein oder Guthaben wieder gutgeschrieben.`,
    nothingToPay: "Sie müssen nichts bezahlen.",
    sentTo: "Lieferung an",
    note: "Anmerkung",
    state: "Stand Ihrer Bestellung",
  },
};

import type { Messages } from "./messages.ts";

export const nl: Messages = {
  fields: { author: "Naam", body: "Tekst", country: "Land", email: "E-mail" },
  faults: {
    blank: "mag niet leeg zijn",
    email: "moet een adres zijn zoals naam@example.com",
    tooLong: (characters) => `heeft meer dan ${characters} tekens`,
    unsupported: "wordt niet ondersteund",
  },
  collections: { all: "Alle producten" },
  cart: {
    soldOut: (title) => `${title} is uitverkocht.`,
    only: (available, title, rule) =>
      `Van ${title} zijn er nog maar ${available}${rule === "" ? "" : `, verkocht ${rule}`}.`,
    rule: (min, max, increment) =>
      (max === undefined ? `vanaf ${min}` : `van ${min} tot ${max}`) +
      (increment > 1 ? ` in stappen van ${increment}` : ""),
    soldBy: (title, rule, quantity) =>
      `${title} wordt verkocht ${rule}: ${quantity === 0 ? "het is uit de winkelwagen gehaald" : `het aantal is nu ${quantity}`}.`,
    setTo: (said, quantity) => `${said.slice(0, -1)}: het aantal is nu ${quantity}.`,
    alreadyIn: (said, inCart) => `${said.slice(0, -1)}, en daarvan liggen er al ${inCart} in de winkelwagen.`,
    removed: (title) => `${title} wordt niet meer verkocht en is uit de winkelwagen gehaald.`,
    priceChanged: (title, before, after) => `De prijs van ${title} is veranderd van ${before} in ${after}.`,
    priceUnknown:
      "Sommige prijzen en kortingen zijn nu niet bekend: de winkelwagen blijft bewaard en kan worden besteld zodra ze dat zijn.",
    codeNotApplicable: (code) => `De kortingscode ${code} geldt niet voor deze winkelwagen.`,
    cardNotApplicable: (code) => `De cadeaubon ${code} geldt niet voor deze winkelwagen.`,
    codeSlowed: (code) =>
      `De kortingscode ${code} is niet bekeken, omdat er veel codes zijn geprobeerd: probeer het over een minuut opnieuw.`,
    cardSlowed: (code) =>
      `De cadeaubon ${code} is niet bekeken, omdat er veel codes zijn geprobeerd: probeer het over een minuut opnieuw.`,
    membersOnly: (title) => `${title} is voor ingelogde klanten: log in en probeer het opnieuw.`,
    tooMany: (most) => `Van één artikel passen er hoogstens ${most} in een winkelwagen.`,
    tooManyLines: (most) => `Een winkelwagen heeft hoogstens ${most} regels.`,
    noVariant: "Deze variant bestaat niet.",
  },
  forms: {
    tooManyFields: (most) => `Een formulier heeft hoogstens ${most} velden.`,
    tooMuch: "Er is hiervandaan zojuist veel verzonden: probeer het over een minuut opnieuw.",
    loginFailed: "Het e-mailadres of het wachtwoord klopt niet.",
    accountFailed: "Dit is niet gelukt: controleer wat u hebt ingevuld en probeer het opnieuw.",
    notKept: "Dit kon niet worden bewaard: probeer het zo meteen opnieuw.",
  },
  facets: {
    availability: "Beschikbaarheid",
    inStock: "Op voorraad",
    soldOut: "Uitverkocht",
    price: "Prijs",
    productType: "Soort product",
    vendor: "Merk",
    tag: "Labels",
  },
  orders: {
    paid: "Betaald",
    pending: "Betaling in behandeling",
    voided: "Geannuleerd",
    unfulfilled: "Nog niet verzonden",
    fulfilled: "Verzonden",
  },
  mails: {
    ordered: (number, shop) => `Bestelling #${number} bij ${shop}`,
    thanks: (number) => `Bedankt voor uw bestelling #${number}.`,
    cancelled: (number, shop) => `Uw bestelling #${number} bij ${shop} is geannuleerd`,
    wasCancelled: (number) => `Uw bestelling #${number} is geannuleerd.`,
    shipped: (number, shop) => `Uw bestelling #${number} bij ${shop} is onderweg`,
    wasShipped: (number) => `Uw bestelling #${number} is onderweg.`,
    carrier: "Vervoerder",
    trackingNumber: "Zendingsnummer",
    track: "Volg het pakket",
    messageFrom: (email) => `Bericht van ${email}`,
    discount: "Korting",
    delivery: "Verzending",
    balance: "Cadeaubon of tegoed",
    toPay: "Te betalen",
    sentTo: "Verzonden naar",
    note: "Opmerking",
    state: "Status van uw bestelling",
  },
};

import type { Messages } from "./messages.ts";

export const it: Messages = {
  fields: { author: "Nome", body: "Testo", country: "Paese", email: "E-mail" },
  faults: {
    blank: "non può essere vuoto",
    email: "deve essere un indirizzo come nome@example.com",
    tooLong: (characters) => `ha più di ${characters} caratteri`,
    unsupported: "non è disponibile",
  },
  collections: { all: "Tutti i prodotti" },
  cart: {
    soldOut: (title) => `${title} è esaurito.`,
    only: (available, title, rule) =>
      `Di ${title} sono disponibili solo ${available}${rule === "" ? "" : `, in vendita ${rule}`}.`,
    rule: (min, max, increment) =>
      (max === undefined ? `da ${min} in su` : `da ${min} a ${max}`) +
      (increment > 1 ? ` a multipli di ${increment}` : ""),
    soldBy: (title, rule, quantity) =>
      `${title} è in vendita ${rule}: ${quantity === 0 ? "è stato tolto dal carrello" : `la quantità è ora ${quantity}`}.`,
    setTo: (said, quantity) => `${said.slice(0, -1)}: la quantità è ora ${quantity}.`,
    alreadyIn: (said, inCart) => `${said.slice(0, -1)}, e ${inCart} sono già nel carrello.`,
    removed: (title) => `${title} non è più in vendita ed è stato tolto dal carrello.`,
    priceChanged: (title, before, after) => `Il prezzo di ${title} è cambiato da ${before} a ${after}.`,
    priceUnknown:
      "Alcuni prezzi e sconti non sono noti al momento: il carrello resta e si potrà ordinare appena lo saranno.",
    codeNotApplicable: (code) => `Il codice sconto ${code} non vale per questo carrello.`,
    cardNotApplicable: (code) => `La carta regalo ${code} non vale per questo carrello.`,
    codeSlowed: (code) =>
      `Il codice sconto ${code} non è stato controllato perché ne sono stati provati molti: riprova tra un minuto.`,
    cardSlowed: (code) =>
      `La carta regalo ${code} non è stata controllata perché ne sono state provate molte: riprova tra un minuto.`,
    membersOnly: (title) => `${title} è riservato ai clienti registrati: accedi e riprova.`,
    tooMany: (most) => `Un carrello contiene al massimo ${most} pezzi di un articolo.`,
    tooManyLines: (most) => `Un carrello ha al massimo ${most} righe.`,
    noVariant: "Questa variante non esiste.",
  },
  forms: {
    tooManyFields: (most) => `Un modulo ha al massimo ${most} campi.`,
    tooMuch: "Da qui è stato appena inviato molto: riprova tra un minuto.",
    loginFailed: "L’indirizzo e-mail o la password non sono corretti.",
    accountFailed: "Non è riuscito: controlla i dati inseriti e riprova.",
    notKept: "Non è stato possibile salvarlo: riprova tra un momento.",
  },
  facets: {
    availability: "Disponibilità",
    inStock: "Disponibile",
    soldOut: "Esaurito",
    price: "Prezzo",
    productType: "Tipo di prodotto",
    vendor: "Marca",
    tag: "Etichette",
  },
  orders: {
    paid: "Pagato",
    pending: "Pagamento in attesa",
    voided: "Annullato",
    unfulfilled: "Non spedito",
    fulfilled: "Spedito",
  },
  mails: {
    ordered: (number, shop) => `Ordine n. ${number} presso ${shop}`,
    thanks: (number) => `Grazie per il tuo ordine n. ${number}.`,
    cancelled: (number, shop) => `Il tuo ordine n. ${number} presso ${shop} è stato annullato`,
    wasCancelled: (number) => `Il tuo ordine n. ${number} è stato annullato.`,
    shipped: (number, shop) => `Il tuo ordine n. ${number} presso ${shop} è in viaggio`,
    wasShipped: (number) => `Il tuo ordine n. ${number} è in viaggio.`,
    carrier: "Corriere",
    trackingNumber: "Numero di tracciamento",
    track: "Segui il pacco",
    messageFrom: (email) => `Messaggio da ${email}`,
    discount: "Sconto",
    delivery: "Spedizione",
    balance: "Carta regalo o credito",
    toPay: "Da pagare",
    sentTo: "Spedito a",
    note: "Nota",
    state: "Stato del tuo ordine",
  },
};

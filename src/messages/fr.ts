import type { Messages } from "./messages.ts";

export const fr: Messages = {
  fields: { author: "Nom", body: "Texte", country: "Pays", email: "E-mail" },
  faults: {
    blank: "doit être rempli",
    email: "doit être une adresse comme nom@example.com",
    tooLong: (characters) => `a plus de ${characters} caractères`,
    unsupported: "n’est pas desservi",
  },
  collections: { all: "Tous les produits" },
  cart: {
    soldOut: (title) => `${title} est épuisé.`,
    only: (available, title, rule) =>
      `Seulement ${available} de ${title} sont disponibles${rule === "" ? "" : `, vendus ${rule}`}.`,
    rule: (min, max, increment) =>
      (max === undefined ? `à partir de ${min}` : `de ${min} à ${max}`) +
      (increment > 1 ? ` par pas de ${increment}` : ""),
    soldBy: (title, rule, quantity) =>
      `${title} est vendu ${rule} : ${quantity === 0 ? "l’article a été retiré du panier" : `la quantité est maintenant ${quantity}`}.`,
    setTo: (said, quantity) => `${said.slice(0, -1)} : la quantité est maintenant ${quantity}.`,
    alreadyIn: (said, inCart) => `${said.slice(0, -1)}, dont ${inCart} déjà dans le panier.`,
    removed: (title) => `${title} n’est plus vendu et a été retiré du panier.`,
    priceChanged: (title, before, after) => `Le prix de ${title} est passé de ${before} à ${after}.`,
    priceUnknown:
      "Certains prix et remises ne sont pas connus pour le moment : le panier est conservé et pourra être commandé dès qu’ils le seront.",
    codeNotApplicable: (code) => `Le code de réduction ${code} ne s’applique pas à ce panier.`,
    cardNotApplicable: (code) => `La carte cadeau ${code} ne s’applique pas à ce panier.`,
    codeSlowed: (code) =>
      `Le code de réduction ${code} n’a pas été vérifié, car beaucoup de codes ont été essayés : réessayez dans une minute.`,
    cardSlowed: (code) =>
      `La carte cadeau ${code} n’a pas été vérifiée, car beaucoup de codes ont été essayés : réessayez dans une minute.`,
    membersOnly: (title) => `${title} est réservé aux clients connectés : connectez-vous et réessayez.`,
    tooMany: (most) => `Un panier contient au plus ${most} exemplaires d’un article.`,
    tooManyLines: (most) => `Un panier a au plus ${most} lignes.`,
    noVariant: "Cette variante n’existe pas.",
  },
  forms: {
    tooManyFields: (most) => `Un formulaire a au plus ${most} champs.`,
    tooMuch: "Beaucoup de messages viennent d’être envoyés d’ici : renvoyez le vôtre dans une minute.",
    loginFailed: "L’adresse e-mail ou le mot de passe n’est pas correct.",
    accountFailed: "Cela n’a pas fonctionné : vérifiez votre saisie et réessayez.",
    notKept: "Cela n’a pas pu être enregistré : renvoyez-le dans un instant.",
  },
  facets: {
    availability: "Disponibilité",
    inStock: "En stock",
    soldOut: "Épuisé",
    price: "Prix",
    productType: "Type de produit",
    vendor: "Marque",
    tag: "Mots-clés",
  },
  orders: {
    paid: "Payée",
    pending: "Paiement en attente",
    voided: "Annulée",
    unfulfilled: "Non expédiée",
    fulfilled: "Expédiée",
  },
  mails: {
    ordered: (number, shop) => `Commande n° ${number} chez ${shop}`,
    thanks: (number) => `Merci pour votre commande n° ${number}.`,
    cancelled: (number, shop) => `Votre commande n° ${number} chez ${shop} a été annulée`,
    wasCancelled: (number) => `Votre commande n° ${number} a été annulée.`,
    shipped: (number, shop) => `Votre commande n° ${number} chez ${shop} est en route`,
    wasShipped: (number) => `Votre commande n° ${number} est en route.`,
    carrier: "Transporteur",
    trackingNumber: "Numéro de suivi",
    track: "Suivre le colis",
    messageFrom: (email) => `Message de ${email}`,
    discount: "Remise",
    delivery: "Livraison",
    balance: "Carte cadeau ou avoir",
    toPay: "À payer",
    sentTo: "Envoyé à",
    note: "Remarque",
    state: "Suivi de votre commande",
  },
};

import type { Messages } from "./messages.ts";

export const fr: Messages = {
  fields: { author: "Nom", body: "Texte", country: "Pays", email: "E-mail" },
  faults: {
    blank: "doit être rempli",
    email: "doit être une adresse comme nom@example.com",
    tooLong: (characters) => `a plus de ${characters} caractères`,
    unsupported: "n’est pas desservi",
  },
  forms: {
    tooManyFields: (most) => `Un formulaire a au plus ${most} champs.`,
    tooMuch: "Beaucoup de messages viennent d’être envoyés d’ici : renvoyez le vôtre dans une minute.",
    loginFailed: "L’adresse e-mail ou le mot de passe n’est pas correct.",
    accountFailed: "Cela n’a pas fonctionné : vérifiez votre saisie et réessayez.",
    notKept: "Cela n’a pas pu être enregistré : renvoyez-le dans un instant.",
  },
};

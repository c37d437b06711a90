import type { Messages } from "./messages.ts";

export const it: Messages = {
  fields: { author: "Nome", body: "Testo", country: "Paese", email: "E-mail" },
  faults: {
    blank: "non può essere vuoto",
    email: "deve essere un indirizzo come nome@example.com",
    tooLong: (characters) => `ha più di ${characters} caratteri`,
    unsupported: "non è disponibile",
  },
  forms: {
    tooManyFields: (most) => `Un modulo ha al massimo ${most} campi.`,
    tooMuch: "Da qui è stato appena inviato molto: riprova tra un minuto.",
    loginFailed: "L’indirizzo e-mail o la password non sono corretti.",
    accountFailed: "Non è riuscito: controlla i dati inseriti e riprova.",
    notKept: "Non è stato possibile salvarlo: riprova tra un momento.",
  },
};

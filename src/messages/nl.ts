import type { Messages } from "./messages.ts";

export const nl: Messages = {
  fields: { author: "Naam", body: "Tekst", country: "Land", email: "E-mail" },
  faults: {
    blank: "mag niet leeg zijn",
    email: "moet een adres zijn zoals naam@example.com",
    tooLong: (characters) => `heeft meer dan ${characters} tekens`,
    unsupported: "wordt niet ondersteund",
  },
  forms: {
    tooManyFields: (most) => `Een formulier heeft hoogstens ${most} velden.`,
    tooMuch: "Er is hiervandaan zojuist veel verzonden: probeer het over een minuut opnieuw.",
    loginFailed: "Het e-mailadres of het wachtwoord klopt niet.",
    accountFailed: "Dit is niet gelukt: controleer wat u hebt ingevuld en probeer het opnieuw.",
    notKept: "Dit kon niet worden bewaard: probeer het zo meteen opnieuw.",
  },
};

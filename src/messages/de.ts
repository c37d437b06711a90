import type { Messages } from "./messages.ts";

export const de: Messages = {
  fields: { author: "Name", body: "Text", country: "Land", email: "E-Mail" },
  faults: {
    blank: "muss ausgefüllt werden",
    email: "muss eine Adresse wie name@example.com sein",
    tooLong: (characters) => `hat mehr als ${characters} Zeichen`,
    unsupported: "wird nicht beliefert",
  },
  forms: {
    tooManyFields: (most) => `Ein Formular hat höchstens ${most} Felder.`,
    tooMuch: "Von hier wurde gerade viel gesendet: Bitte senden Sie es in einer Minute noch einmal.",
    loginFailed: "E-Mail-Adresse oder Passwort ist nicht richtig.",
    accountFailed: "Das ging nicht: Prüfen Sie Ihre Eingaben und versuchen Sie es noch einmal.",
    notKept: "Das konnte gerade nicht gespeichert werden: Bitte senden Sie es gleich noch einmal.",
  },
};

import type { Messages } from "./messages.ts";

export const en: Messages = {
  fields: { author: "Name", body: "Text", country: "Country", email: "E-mail" },
  faults: {
    blank: "can't be blank",
    email: "must be an address like name@example.com",
    tooLong: (characters) => `has more than ${characters} characters`,
    unsupported: "is not supported",
  },
  forms: {
    tooManyFields: (most) => `A form has at most ${most} fields.`,
    tooMuch: "Much was sent from here just now: please send it again in a minute.",
    loginFailed: "The e-mail address or the password is not right.",
    accountFailed: "This could not be done: look at what you entered and try again.",
    notKept: "This could not be kept just now: please send it again in a moment.",
  },
};

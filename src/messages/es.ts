import type { Messages } from "./messages.ts";

export const es: Messages = {
  fields: { author: "Nombre", body: "Texto", country: "País", email: "Correo electrónico" },
  faults: {
    blank: "no puede estar en blanco",
    email: "debe ser una dirección como nombre@example.com",
    tooLong: (characters) => `tiene más de ${characters} caracteres`,
    unsupported: "no está disponible",
  },
  forms: {
    tooManyFields: (most) => `Un formulario tiene como máximo ${most} campos.`,
    tooMuch: "Se ha enviado mucho desde aquí: vuelva a enviarlo dentro de un minuto.",
    loginFailed: "El correo electrónico o la contraseña no son correctos.",
    accountFailed: "No se ha podido hacer: revise lo que ha escrito e inténtelo de nuevo.",
    notKept: "No se ha podido guardar: vuelva a enviarlo dentro de un momento.",
  },
};

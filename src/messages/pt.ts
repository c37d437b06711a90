import type { Messages } from "./messages.ts";

export const pt: Messages = {
  fields: { author: "Nome", body: "Texto", country: "País", email: "E-mail" },
  faults: {
    blank: "não pode ficar em branco",
    email: "deve ser um endereço como nome@example.com",
    tooLong: (characters) => `tem mais de ${characters} caracteres`,
    unsupported: "não está disponível",
  },
  forms: {
    tooManyFields: (most) => `Um formulário tem no máximo ${most} campos.`,
    tooMuch: "Muita coisa foi enviada daqui agora: envie novamente dentro de um minuto.",
    loginFailed: "O e-mail ou a palavra-passe não está correto.",
    accountFailed: "Não foi possível: verifique o que escreveu e tente novamente.",
    notKept: "Não foi possível guardar: envie novamente dentro de momentos.",
  },
};

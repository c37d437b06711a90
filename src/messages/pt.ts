import type { Messages } from "./messages.ts";

export const pt: Messages = {
  fields: { author: "Nome", body: "Texto", country: "País", email: "E-mail" },
  faults: {
    blank: "não pode ficar em branco",
    email: "deve ser um endereço como nome@example.com",
    tooLong: (characters) => `tem mais de ${characters} caracteres`,
    unsupported: "não está disponível",
  },
  collections: { all: "Todos os produtos" },
  cart: {
    soldOut: (title) => `${title} está esgotado.`,
    only: (available, title, rule) => `Só há ${available} de ${title}${rule === "" ? "" : `, e vende-se ${rule}`}.`,
    rule: (min, max, increment) =>
      (max === undefined ? `a partir de ${min}` : `de ${min} a ${max}`) +
      (increment > 1 ? ` em múltiplos de ${increment}` : ""),
    soldBy: (title, rule, quantity) =>
      `${title} vende-se ${rule}: ${quantity === 0 ? "foi retirado do carrinho" : `a quantidade é agora ${quantity}`}.`,
    setTo: (said, quantity) => `${said.slice(0, -1)}: a quantidade é agora ${quantity}.`,
    alreadyIn: (said, inCart) => `${said.slice(0, -1)}, e ${inCart} já estão no carrinho.`,
    removed: (title) => `${title} já não é vendido e foi retirado do carrinho.`,
    priceChanged: (title, before, after) => `O preço de ${title} mudou de ${before} para ${after}.`,
    priceUnknown:
      "Alguns preços e descontos não são conhecidos agora: o carrinho é mantido e poderá ser encomendado assim que forem.",
    codeNotApplicable: (code) => `O código de desconto ${code} não se aplica a este carrinho.`,
    cardNotApplicable: (code) => `O cartão-presente ${code} não se aplica a este carrinho.`,
    codeSlowed: (code) =>
      `O código de desconto ${code} não foi verificado, pois foram tentados muitos: tente novamente dentro de um minuto.`,
    cardSlowed: (code) =>
      `O cartão-presente ${code} não foi verificado, pois foram tentados muitos: tente novamente dentro de um minuto.`,
    membersOnly: (title) => `${title} é para clientes com sessão iniciada: inicie a sessão e tente novamente.`,
    tooMany: (most) => `Um carrinho leva no máximo ${most} unidades de um artigo.`,
    tooManyLines: (most) => `Um carrinho tem no máximo ${most} linhas.`,
    noVariant: "Esta variante não existe.",
  },
  forms: {
    tooManyFields: (most) => `Um formulário tem no máximo ${most} campos.`,
    tooMuch: "Muita coisa foi enviada daqui agora: envie novamente dentro de um minuto.",
    loginFailed: "O e-mail ou a palavra-passe não está correto.",
    accountFailed: "Não foi possível: verifique o que escreveu e tente novamente.",
    notKept: "Não foi possível guardar: envie novamente dentro de momentos.",
  },
  facets: {
    availability: "Disponibilidade",
    inStock: "Em estoque",
    soldOut: "Esgotado",
    price: "Preço",
    productType: "Tipo de produto",
    vendor: "Marca",
    tag: "Etiquetas",
  },
  orders: {
    paid: "Pago",
    pending: "Pagamento pendente",
    voided: "Anulado",
    unfulfilled: "Não enviado",
    fulfilled: "Enviado",
  },
  mails: {
    ordered: (number, shop) => `Pedido n.º ${number} em ${shop}`,
    thanks: (number) => `Obrigado pelo seu pedido n.º ${number}.`,
    cancelled: (number, shop) => `O seu pedido n.º ${number} em ${shop} foi cancelado`,
    wasCancelled: (number) => `O seu pedido n.º ${number} foi cancelado.`,
    shipped: (number, shop) => `O seu pedido n.º ${number} em ${shop} está a caminho`,
    wasShipped: (number) => `O seu pedido n.º ${number} está a caminho.`,
    carrier: "Transportadora",
    trackingNumber: "Número de rastreio",
    track: "Seguir a encomenda",
    messageFrom: (email) => `Mensagem de ${email}`,
    discount: "Desconto",
    delivery: "Envio",
    balance: "Cartão-presente ou crédito",
    toPay: "A pagar",
    sentTo: "Enviado para",
    note: "Observação",
    state: "Estado do seu pedido",
  },
};

import type { Messages } from "./messages.ts";

export const es: Messages = {
  fields: { author: "Nombre", body: "Texto", country: "País", email: "Correo electrónico" },
  faults: {
    blank: "no puede estar en blanco",
    email: "debe ser una dirección como nombre@example.com",
    tooLong: (characters) => `tiene más de ${characters} caracteres`,
    unsupported: "no está disponible",
  },
  collections: { all: "Todos los productos" },
  cart: {
    soldOut: (title) => `${title} está agotado.`,
    only: (available, title, rule) => `Solo hay ${available} de ${title}${rule === "" ? "" : `, y se vende ${rule}`}.`,
    rule: (min, max, increment) =>
      (max === undefined ? `a partir de ${min}` : `de ${min} a ${max}`) +
      (increment > 1 ? ` en múltiplos de ${increment}` : ""),
    soldBy: (title, rule, quantity) =>
      `${title} se vende ${rule}: ${quantity === 0 ? "se ha quitado del carrito" : `la cantidad es ahora ${quantity}`}.`,
    setTo: (said, quantity) => `${said.slice(0, -1)}: la cantidad es ahora ${quantity}.`,
    alreadyIn: (said, inCart) => `${said.slice(0, -1)}, y ${inCart} ya están en el carrito.`,
    removed: (title) => `${title} ya no se vende y se ha quitado del carrito.`,
    priceChanged: (title, before, after) => `El precio de ${title} ha cambiado de ${before} a ${after}.`,
    priceUnknown:
      "Algunos precios y descuentos no se conocen ahora: el carrito se conserva y podrá pedirse en cuanto se conozcan.",
    codeNotApplicable: (code) => `El código de descuento ${code} no se aplica a este carrito.`,
    cardNotApplicable: (code) => `La tarjeta de regalo ${code} no se aplica a este carrito.`,
    codeSlowed: (code) =>
      `El código de descuento ${code} no se ha comprobado porque se han probado muchos: inténtelo de nuevo en un minuto.`,
    cardSlowed: (code) =>
      `La tarjeta de regalo ${code} no se ha comprobado porque se han probado muchas: inténtelo de nuevo en un minuto.`,
    membersOnly: (title) => `${title} es para clientes con sesión iniciada: inicie sesión e inténtelo de nuevo.`,
    tooMany: (most) => `Un carrito admite como máximo ${most} unidades de un artículo.`,
    tooManyLines: (most) => `Un carrito tiene como máximo ${most} líneas.`,
    noVariant: "Esta variante no existe.",
  },
  forms: {
    tooManyFields: (most) => `Un formulario tiene como máximo ${most} campos.`,
    tooMuch: "Se ha enviado mucho desde aquí: vuelva a enviarlo dentro de un minuto.",
    loginFailed: "El correo electrónico o la contraseña no son correctos.",
    accountFailed: "No se ha podido hacer: revise lo que ha escrito e inténtelo de nuevo.",
    notKept: "No se ha podido guardar: vuelva a enviarlo dentro de un momento.",
  },
  facets: {
    availability: "Disponibilidad",
    inStock: "En existencias",
    soldOut: "Agotado",
    price: "Precio",
    productType: "Tipo de producto",
    vendor: "Marca",
    tag: "Etiquetas",
  },
  orders: {
    paid: "Pagado",
    pending: "Pago pendiente",
    voided: "Anulado",
    unfulfilled: "No enviado",
    fulfilled: "Enviado",
  },
  mails: {
    ordered: (number, shop) => `Pedido n.º ${number} en ${shop}`,
    thanks: (number) => `Gracias por su pedido n.º ${number}.`,
    cancelled: (number, shop) => `Su pedido n.º ${number} en ${shop} se ha cancelado`,
    wasCancelled: (number) => `Su pedido n.º ${number} se ha cancelado.`,
    shipped: (number, shop) => `Su pedido n.º ${number} en ${shop} está en camino`,
    wasShipped: (number) => `Su pedido n.º ${number} está en camino.`,
    carrier: "Transportista",
    trackingNumber: "Número de seguimiento",
    track: "Seguir el paquete",
    messageFrom: (email) => `Mensaje de ${email}`,
    discount: "Descuento",
    delivery: "Envío",
    balance: "Tarjeta regalo o saldo",
    toPay: "A pagar",
    sentTo: "Enviado a",
    note: "Nota",
    state: "Estado de su pedido",
  },
};

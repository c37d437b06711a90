/** Optimistic updates of the cart: shows the expected result before the server responds and restores the lines if the server rejects the change. */

const { currency, zero } = document.body.dataset;
// The server formats zero with one digit before the decimals, in the digits of the page's language.
const decimals = zero.match(/\p{Nd}/gu).length - 1;

/** Shows the line with a new quantity and the expected price. @param quantity 0 marks the line as being removed */
export function showQuantity(key, quantity) {
  for (const line of linesOf(key)) {
    line.toggleAttribute("data-leaving", quantity === 0);
    for (const input of line.querySelectorAll("[data-line-quantity]")) input.value = quantity;
    const price = line.querySelector("[data-line-price]");
    price.dataset.was ??= price.textContent;
    if (quantity > 0) price.textContent = money(line.dataset.unitPrice * quantity);
    for (const nested of nestedLines(line)) nested.toggleAttribute("data-leaving", quantity === 0);
  }
  const [line] = linesOf(key);
  let more = quantity - (line?.dataset.quantity ?? quantity);
  if (line && quantity === 0) for (const nested of nestedLines(line)) more -= nested.dataset.quantity;
  showCount(more);
}

/** Restores the quantity and price that the server sent last. */
export function restoreLine(key) {
  for (const line of linesOf(key)) {
    line.removeAttribute("data-leaving");
    for (const input of line.querySelectorAll("[data-line-quantity]")) input.value = line.dataset.quantity;
    const price = line.querySelector("[data-line-price]");
    price.textContent = price.dataset.was ?? price.textContent;
    for (const nested of nestedLines(line)) nested.removeAttribute("data-leaving");
  }
  showCount(0);
}

function linesOf(key) {
  return document.querySelectorAll(`[data-line="${CSS.escape(key)}"]`);
}

/** Returns the lines of the same list that belong to a line, and are removed with it. */
export function nestedLines(line) {
  return line.parentElement.querySelectorAll(`[data-parent-line="${CSS.escape(line.dataset.line)}"]`);
}

function showCount(more) {
  const bubble = document.querySelector(".bubble");
  if (bubble === null) return;
  const count = Number(bubble.dataset.count) + more;
  bubble.textContent = count < 100 ? count : "99+";
}

let format;

/** Formats an amount as the server does. @param amount in the currency's minor unit. The formatter is created on first use: this takes tens of milliseconds on a slow device. */
export function money(amount) {
  format ??= new Intl.NumberFormat(document.body.dataset.locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(amount / 10 ** decimals).replace(/[A-Z]\$/, "$&\u200e");
}

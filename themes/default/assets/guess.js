/** What a change of the cart will most likely come to, shown before the shop has answered, and taken back where it refuses. */

const { currency, zero } = document.body.dataset;
// The shop writes zero with one digit before the decimals, in the digits of the page's language.
const decimals = zero.match(/\p{Nd}/gu).length - 1;

/** Shows a line as if it had so many. */
export function guess(key, quantity) {
  for (const line of linesOf(key)) {
    line.toggleAttribute("data-leaving", quantity === 0);
    for (const input of line.querySelectorAll("[data-line-quantity]")) input.value = quantity;
    const price = line.querySelector("[data-line-price]");
    price.dataset.was ??= price.textContent;
    if (quantity > 0) price.textContent = money(line.dataset.unitPrice * quantity);
  }
  showCount(quantity - (linesOf(key)[0]?.dataset.quantity ?? quantity));
}

/** Shows a line as the shop last had it. */
export function takeBack(key) {
  for (const line of linesOf(key)) {
    line.removeAttribute("data-leaving");
    for (const input of line.querySelectorAll("[data-line-quantity]")) input.value = line.dataset.quantity;
    const price = line.querySelector("[data-line-price]");
    price.textContent = price.dataset.was ?? price.textContent;
  }
  showCount(0);
}

function linesOf(key) {
  return document.querySelectorAll(`[data-line="${CSS.escape(key)}"]`);
}

function showCount(more) {
  const bubble = document.querySelector(".bubble");
  if (bubble === null) return;
  const count = Number(bubble.dataset.count) + more;
  bubble.textContent = count < 100 ? count : "99+";
}

let format;

/** An amount in the currency's minor unit, as the shop writes it. Made when first needed: it takes a slow device tens of milliseconds. */
export function money(amount) {
  format ??= new Intl.NumberFormat(document.documentElement.lang, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(amount / 10 ** decimals).replace(/[A-Z]\$/, "$&\u200e");
}

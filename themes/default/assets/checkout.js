/** Shows the totals of the chosen shipping method. */
function showTotals() {
  const chosen = document.querySelector("[name=shipping]:checked")?.value;
  if (chosen === undefined) return;
  for (const totals of document.querySelectorAll("[data-totals]")) totals.hidden = totals.dataset.totals !== chosen;
}

document.addEventListener("change", showTotals);
// The browser restores the selected method when the shopper returns to the page.
addEventListener("pageshow", showTotals);

/** Key of the address that the shopper entered. It is kept until the order, or until the tab is closed. */
const STORAGE_KEY = "checkout-address";

const ADDRESS_FIELDS = "#checkout_form [id^=order-]:is(input, select)";
const findAddressFields = () => [...document.querySelectorAll(ADDRESS_FIELDS)];

/** Fills in the address after the shopper returned from the cart. An address from the server takes precedence. */
function restoreAddress() {
  const fields = findAddressFields();
  if (fields.some(({ name, value }) => name === "email" && value !== "")) return;
  const saved = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
  for (const field of fields) {
    const text = saved[field.name] ?? "";
    const isOffered = field.options === undefined || [...field.options].some(({ value }) => value === text);
    if (text !== "" && isOffered) field.value = text;
  }
}

function saveAddress({ target }) {
  if (!target.matches(ADDRESS_FIELDS)) return;
  const values = findAddressFields().map(({ name, value }) => [name, value]);
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(values)));
}

if (document.querySelector("[data-order]")) sessionStorage.removeItem(STORAGE_KEY);
restoreAddress();
document.addEventListener("change", saveAddress);

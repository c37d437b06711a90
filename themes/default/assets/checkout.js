/** Shows the totals of the chosen shipping method. */
function showTotals() {
  const chosen = document.querySelector("[name=shipping]:checked")?.value;
  if (chosen === undefined) return;
  for (const totals of document.querySelectorAll("[data-totals]")) totals.hidden = totals.dataset.totals !== chosen;
}

document.addEventListener("change", showTotals);
// The browser restores the choice when the shopper comes back.
addEventListener("pageshow", showTotals);

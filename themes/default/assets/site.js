const menuButton = document.querySelector(".menu-button");
menuButton?.addEventListener("click", () => {
  const isOpen = menuButton.getAttribute("aria-expanded") === "true";
  menuButton.setAttribute("aria-expanded", String(!isOpen));
  document.getElementById(menuButton.getAttribute("aria-controls"))?.toggleAttribute("data-open", !isOpen);
});

/** The plus and minus of every number field; a field's own rules say how far they go. */
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-quantity-field] [data-step]");
  if (button === null) return;
  const input = button.closest("[data-quantity-field]").querySelector("input");
  const step = Number(input.step) || 1;
  const smallest = Number(input.dataset.min);
  const now = Number(input.value) || 0;
  const wanted = now + step * Number(button.dataset.step);
  // Below the smallest amount there is nothing but taking the line out, where that is possible.
  const next = wanted < smallest ? Number(input.min) : wanted;
  input.value = String(Math.min(next, input.max === "" ? next : Number(input.max)));
  if (Number(input.value) !== now) input.dispatchEvent(new Event("change", { bubbles: true }));
});

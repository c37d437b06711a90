const menuButton = document.querySelector(".menu-button");
menuButton?.addEventListener("click", () => {
  const isOpen = menuButton.getAttribute("aria-expanded") === "true";
  menuButton.setAttribute("aria-expanded", String(!isOpen));
  document.getElementById(menuButton.getAttribute("aria-controls"))?.toggleAttribute("data-open", !isOpen);
});

/** Handles the plus and minus buttons of number fields, within the limits of each field. */
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-quantity-field] [data-step]");
  if (button === null) return;
  const input = button.closest("[data-quantity-field]").querySelector("input");
  const step = Number(input.step) || 1;
  const smallest = Number(input.dataset.min);
  const now = Number(input.value) || 0;
  const target = now + step * Number(button.dataset.step);
  // Below the minimum, the only step is 0, if the line can be removed.
  const next = target < smallest ? Number(input.min) : target;
  input.value = String(Math.min(next, input.max === "" ? next : Number(input.max)));
  if (Number(input.value) !== now) input.dispatchEvent(new Event("change", { bubbles: true }));
});

/** Placeholder for images that fail to load; its gray is visible on light and dark backgrounds. */
const drawing = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 200 200"><g fill="#808890" opacity=".4" transform="translate(50 50) scale(.5)"><path d="M40 150 85 95l30 35 20-22 28 42z"/><circle cx="135" cy="69" r="14"/></g></svg>',
)}`;
const standIn = (image) => {
  if (image.src === drawing) return;
  for (const source of image.closest("picture")?.querySelectorAll("source") ?? []) source.remove();
  image.removeAttribute("srcset");
  image.classList.add("stand-in");
  image.src = drawing;
};
document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && standIn(target), true);
// Images that failed before this script ran. `decode` distinguishes them from SVG images without a size.
for (const image of document.images)
  if (image.complete && image.currentSrc !== "" && image.naturalWidth === 0) image.decode().catch(() => standIn(image));

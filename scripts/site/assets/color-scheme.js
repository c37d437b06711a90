// Sets the color scheme before the first paint, so that a page does not flash.
try {
  const saved = localStorage.getItem("color-scheme");
  if (saved !== null) document.documentElement.dataset.scheme = saved;
} catch {
  // If storage is blocked, the color scheme of the system applies.
}

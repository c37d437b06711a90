// Runs before the first paint, so that a page does not flash in the other scheme.
try {
  const saved = localStorage.getItem("color-scheme");
  if (saved !== null) document.documentElement.dataset.scheme = saved;
} catch {
  // Storage is blocked: the scheme of the system applies.
}

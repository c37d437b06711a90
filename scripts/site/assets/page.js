const maxResults = 8;
const base = new URL("../", import.meta.url);
const byId = (id) => document.getElementById(`site-${id}`);
const [field, list, status, schemeButton] = ["search", "results", "status", "scheme"].map(byId);

/** Promise of the search index and its sections, loaded when the field is first used. */
let loading;
let latest = 0;
let selected = -1;

field.closest("search").hidden = false;
field.addEventListener("focus", () => load().catch(() => {}));
field.addEventListener("input", show);
field.addEventListener("keydown", handleKey);
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]") !== null;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});
field.closest("search").addEventListener("focusout", ({ currentTarget, relatedTarget }) => {
  if (!currentTarget.contains(relatedTarget)) close();
});
list.addEventListener("click", close);

function load() {
  loading ??= Promise.all([
    import("./engine/src/index.js"),
    fetchFile("index.bin").then((response) => response.arrayBuffer()),
    fetchFile("sections.json").then((response) => response.json()),
  ]).then(
    ([{ createSearcher, loadSegment }, bytes, { schema, sections }]) => {
      const segment = loadSegment(new Uint8Array(bytes));
      return { index: createSearcher(schema).open([segment]), sections };
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

async function fetchFile(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: status ${response.status}`);
  return response;
}

async function show() {
  latest += 1;
  const number = latest;
  const text = field.value.trim();
  if (text === "") return close();
  try {
    const { index, sections } = await load();
    // A later keystroke has replaced this search.
    if (number !== latest) return;
    const hits = index.search({ text, locale: "en", limits: new Map([[0, maxResults]]) }).get(0) ?? [];
    list.replaceChildren(...hits.map(({ externalId }, position) => option(sections[externalId], position)));
    list.hidden = hits.length === 0;
    field.setAttribute("aria-expanded", String(hits.length > 0));
    select(-1);
    status.textContent =
      hits.length === 0 ? `No results for “${text}”` : `${hits.length} ${hits.length === 1 ? "result" : "results"}`;
  } catch {
    status.textContent = "The search could not be loaded. Type again to retry.";
  }
  status.classList.toggle("visible", list.hidden);
}

function option([heading, page, url, excerpt], position) {
  const link = document.createElement("a");
  Object.assign(link, { href: new URL(url, base).href, id: `site-result-${position}`, tabIndex: -1 });
  link.setAttribute("role", "option");
  link.setAttribute("aria-selected", "false");
  const texts = [
    ["strong", heading],
    ["span", heading === page ? "" : page],
    ["small", excerpt],
  ];
  for (const [tag, text] of texts) {
    if (text === "") continue;
    const part = document.createElement(tag);
    part.textContent = text;
    link.append(part, " ");
  }
  return link;
}

function handleKey(event) {
  const { length } = list.children;
  if (event.key === "Escape") close();
  else if (list.hidden || event.isComposing) return;
  else if (event.key === "ArrowDown") select(selected + 1 < length ? selected + 1 : 0);
  else if (event.key === "ArrowUp") select(selected > 0 ? selected - 1 : length - 1);
  else if (event.key === "Enter") list.children[Math.max(selected, 0)].click();
  else return;
  event.preventDefault();
}

/** Selects an option. @param position index of the option; -1 selects none */
function select(position) {
  selected = position;
  for (const [index, link] of [...list.children].entries()) {
    link.setAttribute("aria-selected", String(index === position));
    if (index === position) link.scrollIntoView({ block: "nearest" });
  }
  if (position < 0) field.removeAttribute("aria-activedescendant");
  else field.setAttribute("aria-activedescendant", `site-result-${position}`);
}

function close() {
  latest += 1;
  list.hidden = true;
  field.setAttribute("aria-expanded", "false");
  status.textContent = "";
  status.classList.remove("visible");
  select(-1);
}

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.scheme ?? (systemIsDark.matches ? "dark" : "light")) === "dark";
const showScheme = () => schemeButton.setAttribute("aria-pressed", String(isDark()));
schemeButton.hidden = false;
showScheme();
systemIsDark.addEventListener("change", showScheme);
schemeButton.addEventListener("click", () => {
  const scheme = isDark() ? "light" : "dark";
  document.documentElement.dataset.scheme = scheme;
  try {
    localStorage.setItem("color-scheme", scheme);
  } catch {
    // If storage is blocked, the color scheme applies only to this page.
  }
  showScheme();
});

byId("menu").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

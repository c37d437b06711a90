/**
 * Script that `vitrine dev` adds to every page. Shows errors in the store's files in a panel over the page, and applies
 * changed files without losing the cart, the scroll position or typed text. Not served in production.
 */

const tag = document.querySelector("script[data-vitrine-page]");
const { vitrinePage: pageName } = tag.dataset;
let revision = Number(tag.dataset.revision);
/** Whether the page shows an older version of the theme, because the current version fails to render. */
let isThemeOutdated = false;
/** Whether this page is an error page. */
const isFailed = tag.dataset.failed !== undefined;

let stream;
function listen() {
  if (stream !== undefined || document.hidden) return;
  stream = new EventSource(`/vitrine/dev/events?page=${pageName}&since=${revision}`);
  stream.addEventListener("change", ({ data }) => enqueue(() => applyChange(JSON.parse(data))));
  stream.addEventListener("diagnostics", ({ data }) => panel.show(JSON.parse(data)));
  stream.addEventListener("error", () => {
    closeStream();
    setTimeout(listen, 500);
  });
}
/** Closes the event stream. A hidden page has no open stream, because browsers limit the connections per server. */
function closeStream() {
  stream?.close();
  stream = undefined;
}
document.addEventListener("visibilitychange", () => (document.hidden ? closeStream() : listen()));
addEventListener("pagehide", closeStream);
addEventListener("pageshow", listen);

let queue = Promise.resolve();
/** Adds an asynchronous function to the queue. The functions run one after another. */
function enqueue(task) {
  queue = queue.then(task).catch((error) => console.warn("vitrine dev:", error));
}

async function applyChange(change) {
  ({ revision } = change);
  if (change.isReload || isThemeOutdated || isFailed) return reload();
  await loadStyles(Object.entries(change.styles));
  await loadSections(change.sections);
  document.dispatchEvent(new CustomEvent("vitrine:dev:change", { detail: change }));
}

/**
 * Reloads the page. If the server would return an error page, the page is not reloaded and keeps its last valid
 * content.
 */
async function reload() {
  const response = isFailed ? undefined : await fetch(location.href).catch(() => undefined);
  isThemeOutdated = !isFailed && (response === undefined || response.status >= 500);
  if (isThemeOutdated) return;
  const { href } = location;
  sessionStorage.setItem(
    stateKey,
    JSON.stringify({ href, x: scrollX, y: scrollY, state: captureUserState(document.body) }),
  );
  location.reload();
}
const stateKey = "vitrine-dev-state";

/** Replaces each style sheet after the new one has loaded, so that the page is never unstyled. */
async function loadStyles(styles) {
  const links = [...document.querySelectorAll("link[rel~=stylesheet][href]")];
  const hasFileName = (link, name) => new URL(link.href).pathname.endsWith(`/assets/${encodeURIComponent(name)}`);
  // A changed style sheet without its own `<link>` is imported by another one, so reload all style sheets of the theme.
  const isImported = styles.some(([name]) => !links.some((link) => hasFileName(link, name)));
  await Promise.all(
    links.map((link) => {
      const version = styles.find(([name]) => hasFileName(link, name))?.[1];
      if (version === undefined && !(isImported && link.href.includes("/assets/"))) return undefined;
      const next = link.cloneNode();
      const address = new URL(link.href);
      if (version !== undefined) address.searchParams.set("v", version);
      else address.searchParams.set("t", String(revision));
      next.href = address.href;
      return new Promise((resolve) => {
        next.onload = () => resolve(link.remove());
        next.onerror = () => resolve(next.remove());
        link.after(next);
      });
    }),
  );
}

/** Maximum number of sections in one request. */
const batchSize = 5;

async function loadSections(ids) {
  for (let batchStart = 0; batchStart < ids.length; batchStart += batchSize) {
    const url = new URL(location.href);
    url.searchParams.set("sections", ids.slice(batchStart, batchStart + batchSize).join());
    url.hash = "";
    const response = await fetch(url, { headers: { accept: "application/json" } });
    if (!response.ok) continue;
    const sections = await response.json();
    // The HTML of a section that failed is null. The page keeps the section's last valid HTML.
    for (const [id, html] of Object.entries(sections)) if (html !== null) replaceSection(id, html);
  }
}

function replaceSection(id, html) {
  const templateElement = document.createElement("template");
  templateElement.innerHTML = html;
  const { firstElementChild: wrapper } = templateElement.content;
  if (wrapper === null) return;
  for (const oldElement of document.querySelectorAll(`[id="${CSS.escape(wrapper.id)}"]`)) {
    const next = document.importNode(wrapper, true);
    const state = captureUserState(oldElement);
    const { scrollX: x, scrollY: y } = window;
    for (const script of next.querySelectorAll("script")) runScript(script);
    dispatchSectionEvent(oldElement, "unload", id);
    oldElement.replaceWith(next);
    restore(next, state);
    scrollTo({ left: x, top: y, behavior: "instant" });
    dispatchSectionEvent(next, "load", id);
  }
}

/** Dispatches the event "load" or "unload" of a section, on which theme scripts initialize the section or clean up. */
function dispatchSectionEvent(section, eventType, sectionId) {
  section.dispatchEvent(new CustomEvent(`shopify:section:${eventType}`, { bubbles: true, detail: { sectionId } }));
}

/**
 * Runs a script that was inserted as HTML, because browsers do not run such scripts. A script file that the page has
 * already run does not run again.
 */
function runScript(script) {
  if (script.src !== "" && [...document.scripts].some(({ src }) => src === script.src)) return;
  const newScript = document.createElement("script");
  for (const { name, value } of script.attributes) newScript.setAttribute(name, value);
  newScript.textContent = script.textContent;
  script.replaceWith(newScript);
}

/** Returns the user's changes in a part of the page: field values, open elements, scroll positions, and focus. */
function captureUserState(root) {
  const state = { fields: [], open: [], scrolled: [], focus: undefined };
  for (const element of root.querySelectorAll("input, textarea, select, details, dialog")) {
    const path = locate(element, root);
    if (element.matches("details, dialog")) {
      state.open.push({ path, isOpen: element.open, isModal: element.matches("dialog:modal") });
    } else if (element.matches("[type=checkbox], [type=radio]")) {
      if (element.checked !== element.defaultChecked) state.fields.push({ path, checked: element.checked });
    } else if (element.matches("select")) {
      const defaultIndex = Math.max(
        0,
        [...element.options].findIndex(({ defaultSelected }) => defaultSelected),
      );
      if (element.selectedIndex !== defaultIndex) state.fields.push({ path, value: element.value });
    } else if (!element.matches("[type=hidden], [type=file], [type=submit], [type=button]")) {
      if (element.value !== element.defaultValue) state.fields.push({ path, value: element.value });
    }
  }
  for (const element of root.querySelectorAll("*"))
    if (element.scrollTop > 0 || element.scrollLeft !== 0)
      state.scrolled.push({ path: locate(element, root), top: element.scrollTop, left: element.scrollLeft });
  const { activeElement: activeField } = document;
  if (activeField !== null && activeField !== root && activeField !== document.body && root.contains(activeField))
    state.focus = { path: locate(activeField, root), ...readSelection(activeField) };
  return state;
}

/** Returns the selected range of an input, or {} for input types whose selection browsers do not report. */
function readSelection({ selectionStart, selectionEnd }) {
  return typeof selectionStart === "number" ? { from: selectionStart, to: selectionEnd } : {};
}

function restore(root, { fields, open, scrolled, focus }) {
  for (const { path, isOpen, isModal } of open) {
    const element = find(root, path);
    if (element === undefined || element.open === isOpen) continue;
    if (isModal) element.showModal();
    else element.open = isOpen;
  }
  for (const { path, value, checked } of fields) {
    const element = find(root, path);
    if (element === undefined) continue;
    if (checked !== undefined) element.checked = checked;
    else element.value = value;
  }
  for (const { path, top, left } of scrolled) find(root, path)?.scrollTo({ top, left, behavior: "instant" });
  if (focus === undefined) return;
  const element = find(root, focus.path);
  element?.focus({ preventScroll: true });
  if (focus.from !== undefined) element?.setSelectionRange?.(focus.from, focus.to);
}

/** Returns a selector and an index that find the same element again after the HTML of `root` is replaced. */
function locate(element, root) {
  const kind = element.localName;
  if (element.id !== "") return { kind, query: `#${CSS.escape(element.id)}`, index: 0 };
  const name = element.getAttribute("name");
  const nameSelector = name === null ? "" : `[name="${CSS.escape(name)}"]`;
  const valueSelector = element.matches("[type=radio], [type=checkbox]")
    ? `[value="${CSS.escape(element.value)}"]`
    : "";
  const query = `${kind}${nameSelector}${valueSelector}`;
  return { kind, query, index: [...root.querySelectorAll(query)].indexOf(element) };
}

function find(root, { kind, query, index }) {
  const match = root.querySelectorAll(query)[index];
  return match?.localName === kind ? match : undefined;
}

const styles = `
  :host { all: initial; position: fixed; inset: auto 0 0 0; z-index: 2147483647; font: 14px/1.5 ui-monospace, Menlo, Consolas, monospace; pointer-events: none; border: 0; padding: 0; margin: 0; width: 100%; max-height: 100%; background: none; overflow: visible; color: #f4f1ea }
  aside { pointer-events: auto; box-sizing: border-box; max-height: 60vh; overflow: auto; overscroll-behavior: contain; background: #1d1b19; border-top: 4px solid #e5484d; padding: 12px 20px 20px; box-shadow: 0 -8px 32px rgb(0 0 0 / 35%) }
  aside.warnings { border-top-color: #e2a336 }
  header { display: flex; gap: 16px; align-items: baseline; position: sticky; top: -12px; margin: -12px -20px 0; padding: 12px 20px 8px; background: #1d1b19 }
  h2 { font: 600 15px/1.5 system-ui, sans-serif; margin: 0; flex: 1 }
  p { margin: 0 } .note { font: 13px/1.5 system-ui, sans-serif; color: #c9c2b6 }
  ol { list-style: none; margin: 0; padding: 0 } li { margin-top: 14px }
  .place { color: #ffb4a8; font-weight: 600; overflow-wrap: anywhere } .warning .place { color: #f3cf87 }
  .message { font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; white-space: pre-wrap }
  pre { margin: 6px 0 0; padding: 8px 12px; background: #2b2825; border-radius: 6px; overflow-x: auto; tab-size: 2; font: inherit; font-size: 13px }
  pre span { display: block; color: #b8b1a6 } pre mark { display: block; background: #57251f; color: #fff; margin: 0 -12px; padding: 0 12px }
  button { font: 600 13px/1 system-ui, sans-serif; color: #1d1b19; background: #f4f1ea; border: 0; border-radius: 999px; padding: 9px 14px; cursor: pointer; pointer-events: auto }
  button:focus-visible { outline: 3px solid #7cb7ff; outline-offset: 2px }
  .badge { position: fixed; inset-block-end: 12px; inset-inline-end: 12px; box-shadow: 0 2px 10px rgb(0 0 0 / 40%); background: #e2a336 } .badge.errors { background: #ff8f83 }
  [hidden] { display: none }
`;

/** Error panel over the page: open if there are errors, collapsed to a button if there are only warnings. */
class ErrorPanel extends HTMLElement {
  #shadowRoot = this.attachShadow({ mode: "open" });
  #report = { diagnostics: [], isBehind: false };
  #isOpen = false;
  #errorKeys = "";

  constructor() {
    super();
    this.#shadowRoot.adoptedStyleSheets = [createStyleSheet(styles)];
    this.addEventListener("keydown", ({ key }) => key === "Escape" && this.#setFolded(true));
  }

  show(report) {
    this.#report = report;
    const errors = report.diagnostics.filter(({ severity }) => severity === "error");
    const keys = JSON.stringify(errors.map(({ file, line, message }) => [file, line, message]));
    // If the errors did not change, do not open or close the panel.
    if (keys !== this.#errorKeys) this.#isOpen = errors.length > 0 && sessionStorage.getItem(foldedStorageKey) !== keys;
    this.#errorKeys = keys;
    this.#renderReport();
  }

  #setFolded(isFolded) {
    this.#isOpen = !isFolded;
    sessionStorage.setItem(foldedStorageKey, isFolded ? this.#errorKeys : "");
    this.#renderReport();
    this.#shadowRoot.querySelector("button")?.focus();
  }

  #renderReport() {
    const { diagnostics: problems, isBehind: isOlder } = this.#report;
    if (problems.length === 0) {
      this.remove();
      return;
    }
    const errors = problems.filter(({ severity }) => severity === "error").length;
    const count = [formatCount(errors, "error"), formatCount(problems.length - errors, "warning")]
      .filter(Boolean)
      .join(", ");
    if (this.#isOpen) {
      const closeButton = createElement("button", { type: "button", textContent: "Close" });
      closeButton.addEventListener("click", () => this.#setFolded(true));
      const header = createElement("header", {}, createElement("h2", { textContent: count }), closeButton);
      const note =
        isOlder || isThemeOutdated ? [createElement("p", { className: "note", textContent: olderNote })] : [];
      const panel = createElement(
        "aside",
        { className: errors === 0 ? "warnings" : "" },
        header,
        ...note,
        createElement("ol", {}, ...problems.map(createItem)),
      );
      panel.setAttribute("aria-label", "Errors in the store's files");
      this.#shadowRoot.replaceChildren(panel);
    } else {
      const badge = createElement("button", {
        type: "button",
        className: `badge${errors > 0 ? " errors" : ""}`,
        textContent: count,
      });
      badge.addEventListener("click", () => this.#setFolded(false));
      this.#shadowRoot.replaceChildren(badge);
    }
    if (!this.isConnected) document.documentElement.append(this);
    // A popover is also visible above modal dialogs.
    this.popover = "manual";
    if (this.matches(":popover-open")) this.hidePopover();
    this.showPopover();
  }
}

const foldedStorageKey = "vitrine-dev-folded";
const olderNote = "The page shows the last version of the files without errors.";

function createItem({ severity, message, file, line, column, excerpt = [] }) {
  const locationText = [file, line, column].filter((part) => part !== undefined).join(":");
  const lines = excerpt.map(({ number, text, isMarked }) =>
    createElement(isMarked ? "mark" : "span", { textContent: `${String(number).padStart(4)}  ${text}` }),
  );
  return createElement(
    "li",
    { className: severity },
    createElement("p", {
      className: "place",
      textContent: `${severity === "warning" ? "warning " : ""}${locationText}`,
    }),
    createElement("p", { className: "message", textContent: message }),
    ...(lines.length === 0 ? [] : [createElement("pre", {}, ...lines)]),
  );
}

function createElement(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function formatCount(count, noun) {
  return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Creates a style sheet with a script, because the page's Content-Security-Policy may forbid inline styles. */
function createStyleSheet(text) {
  const styleSheet = new CSSStyleSheet();
  styleSheet.replaceSync(text);
  return styleSheet;
}

/** Custom element that replaces a section that could not be rendered. */
class FailedSection extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.append(document.createElement("slot"));
    root.adoptedStyleSheets = [
      createStyleSheet(
        ":host { display: block; margin: 16px; padding: 12px 16px; border-inline-start: 4px solid #e5484d; background: #fff1ef; color: #3b1210; font: 14px/1.5 ui-monospace, monospace; overflow: auto }",
      ),
    ];
  }
}

customElements.define("vitrine-dev", ErrorPanel);
customElements.define("vitrine-error", FailedSection);
const panel = new ErrorPanel();

const savedState = JSON.parse(sessionStorage.getItem(stateKey) ?? "null");
sessionStorage.removeItem(stateKey);
if (savedState?.href === location.href) {
  const restoreScroll = () => scrollTo({ left: savedState.x, top: savedState.y, behavior: "instant" });
  restore(document.body, savedState.state);
  restoreScroll();
  // Scroll again after the load event, because the heights of images are known only then.
  if (document.readyState !== "complete") addEventListener("load", restoreScroll, { once: true });
}
listen();

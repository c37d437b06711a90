/**
 * Refreshes the regions of a page that `{% partial %}` marks, without a reload. A module for themes that import
 * "@shopify/partial-rendering". The HTML contains a comment before and after each region.
 */

/** Returns the regions of a document: for each name, the DOM ranges between the comments that mark the region. */
const findRegions = (page) => {
  const regions = new Map();
  const openComments = [];
  const walker = page.createTreeWalker(page, NodeFilter.SHOW_COMMENT);
  for (let comment = walker.nextNode(); comment; comment = walker.nextNode()) {
    const [, slash, name] = /^(\/?)partial:(.*)$/.exec(comment.data) ?? [];
    if (name === undefined) continue;
    if (slash === "") {
      openComments.push(comment);
      continue;
    }
    const index = openComments.findLastIndex(({ data }) => data === `partial:${name}`);
    if (index === -1) continue;
    // Also drop inner regions that have no end comment, because rendering them failed.
    const [start] = openComments.splice(index);
    const range = page.createRange();
    range.setStartAfter(start);
    range.setEndBefore(comment);
    const key = decodeURIComponent(name);
    regions.set(key, [...(regions.get(key) ?? []), range]);
  }
  return regions;
};

/** Returns the elements of a range by key. The same element has the same key in another version of the page. */
const listElements = (range) => {
  const { commonAncestorContainer: root } = range;
  const elements = new Map();
  for (const element of root.querySelectorAll?.("*") ?? []) {
    if (!range.intersectsNode(element)) continue;
    const selectedValue = /^(?:radio|checkbox)$/.test(element.type) ? element.value : "";
    const name = [element.localName, element.id, element.getAttribute("name"), selectedValue].join(" ");
    let number = 0;
    while (elements.has(`${name} ${number}`)) number += 1;
    elements.set(`${name} ${number}`, element);
  }
  return elements;
};

const isChangedByUser = (element) =>
  element.localName === "select"
    ? [...element.options].some((option) => option.selected !== option.defaultSelected)
    : "defaultChecked" in element && /^(?:radio|checkbox)$/.test(element.type)
      ? element.checked !== element.defaultChecked
      : "defaultValue" in element && !/^(?:hidden|file)$/.test(element.type) && element.value !== element.defaultValue;

/** Saves what the user changed in a range. Returns pairs of an element's key and a function that restores its state. */
const saveUserState = (range) => {
  const stateRestorers = [];
  for (const [key, element] of listElements(range)) {
    const { value, checked, selectionStart, selectionEnd, selectionDirection, scrollTop, scrollLeft } = element;
    if (isChangedByUser(element)) {
      const selectedValues = [...(element.selectedOptions ?? [])].map((option) => option.value);
      stateRestorers.push([
        key,
        (next) => {
          if (next.localName === "select")
            for (const option of next.options) option.selected = selectedValues.includes(option.value);
          else if (typeof checked === "boolean" && /^(?:radio|checkbox)$/.test(next.type)) next.checked = checked;
          else next.value = value;
        },
      ]);
    }
    if (scrollTop || scrollLeft) stateRestorers.push([key, (next) => Object.assign(next, { scrollTop, scrollLeft })]);
    if (element === document.activeElement)
      stateRestorers.push([
        key,
        (next) => {
          next.focus({ preventScroll: true });
          if (typeof selectionStart === "number")
            next.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
        },
      ]);
  }
  return stateRestorers;
};

const replaceRegion = (range, content) => {
  const stateRestorers = saveUserState(range);
  range.deleteContents();
  range.insertNode(document.importNode(content, true));
  const elements = listElements(range);
  for (const [key, restore] of stateRestorers) {
    const element = elements.get(key);
    if (element) restore(element);
  }
};

export const partials = {
  /**
   * Requests regions from the server. The last argument can contain `url` (default: the URL of the page) and the options
   * of `fetch`. Rejects if the response is an error or lacks a region.
   */
  async fetch(...args) {
    const { url = location.href, ...init } = typeof args.at(-1) === "object" ? args.pop() : {};
    const headers = new Headers(init.headers);
    if (!headers.has("accept")) headers.set("accept", "text/html");
    const response = await fetch(url, { cache: "no-cache", ...init, headers });
    if (!response.ok) throw new Error(`The partials were not loaded: ${response.status} ${url}`);
    const regions = findRegions(new DOMParser().parseFromString(await response.text(), "text/html"));
    return new Map(
      args.map((name) => {
        const ranges = regions.get(name);
        if (!ranges) throw new Error(`The page has no partial "${name}": ${url}`);
        return [name, ranges.map((range) => range.cloneContents())];
      }),
    );
  },

  /** Replaces regions of the page. Focus, selection, changed form fields, and scroll positions are preserved. */
  apply(update) {
    const { scrollX: left, scrollY: top } = window;
    for (const [name, contents] of update)
      for (const [index, content] of contents.entries()) {
        const range = findRegions(document).get(name)?.[index];
        if (range) replaceRegion(range, content);
      }
    if (scrollX !== left || scrollY !== top) scrollTo({ left, top, behavior: "instant" });
  },

  /** Requests regions of the current URL and replaces them. */
  async refresh(...names) {
    partials.apply(await partials.fetch(...names));
  },
};

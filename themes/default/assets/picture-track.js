/** Scrolls to one picture that were broken off. */
const MOST_TRIES = 5;

/** Pictures side by side in a list that scrolls: which one is shown, however it came there. */
export class Track {
  /** @param onShown called with the place, from 0, of the picture that is shown now */
  constructor(list, onShown) {
    this.list = list;
    this.onShown = onShown;
    this.now = 0;
    // A scroll over several pictures passes those between: until it arrives, they do not count. A finger ends it.
    this.wanted = undefined;
    for (const type of ["pointerdown", "wheel", "touchstart"])
      list.addEventListener(type, () => this.#let(), { passive: true });
    list.addEventListener("scrollend", () => this.#arrive());
  }

  get slides() {
    return [...this.list.children];
  }

  /** Again after the pictures of the list have changed. */
  watch() {
    this.stop();
    this.watcher = new IntersectionObserver(
      (entries) => {
        const seen = entries.findLast(({ isIntersecting }) => isIntersecting);
        if (seen !== undefined) this.#seen(this.slides.indexOf(seen.target));
      },
      { root: this.list, threshold: 0.6 },
    );
    for (const slide of this.slides) this.watcher.observe(slide);
  }

  stop() {
    this.watcher?.disconnect();
  }

  /** Scrolls to a picture, in the list alone: the page stays where it is.
   *  @param behavior "instant", or "auto" for what the style says */
  show(place, behavior = "auto") {
    const slide = this.list.children[place];
    if (slide === undefined) return;
    this.wanted = place;
    this.tries = 0;
    this.#mark(place);
    this.#scroll(slide, behavior);
  }

  #scroll(slide, behavior) {
    const distance = this.#distance(slide);
    // Where it stands there already, it may be about to leave: a scroll to the spot ends the one under way.
    const isThere = Math.abs(distance) < 1;
    if (isThere) this.wanted = undefined;
    this.list.scrollTo({ left: this.list.scrollLeft + distance, behavior: isThere ? "instant" : behavior });
  }

  #distance(slide) {
    return slide.getBoundingClientRect().left - this.list.getBoundingClientRect().left;
  }

  /** A scroll has ended: that to the picture that is wanted, or one before it, which it broke off. Then the list may have snapped to a picture on the way. */
  #arrive() {
    const slide = this.list.children[this.wanted];
    if (slide === undefined || Math.abs(this.#distance(slide)) < 2 || this.tries === MOST_TRIES) return this.#let();
    this.tries += 1;
    this.#scroll(slide, "auto");
  }

  /** @returns whether there is a picture there */
  step(by) {
    const isThere = this.list.children[this.now + by] !== undefined;
    if (isThere) this.show(this.now + by);
    return isThere;
  }

  #let() {
    this.wanted = undefined;
  }

  #seen(place) {
    if (this.wanted !== undefined && this.wanted !== place) return;
    this.wanted = undefined;
    this.#mark(place);
  }

  #mark(place) {
    if (place === this.now) return;
    this.now = place;
    this.onShown(place);
  }
}

/** Which picture it is, and whether there is one before and after it. */
export function showSteps(root, now, count) {
  const number = root.querySelector("[data-now]");
  if (number === null) return;
  number.textContent = now + 1;
  for (const button of root.querySelectorAll("[data-step-picture]")) {
    const isEnd = now + Number(button.dataset.stepPicture) < 0 || now + Number(button.dataset.stepPicture) >= count;
    // Not `disabled`: the focus stays.
    button.setAttribute("aria-disabled", String(isEnd));
  }
}

/** Where a key leads from a place in a row; undefined: nowhere. */
export function keyed(key, place, count) {
  const towardsEnd = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === "ArrowLeft" || key === "ArrowRight")
    return Math.min(Math.max(place + (key === towardsEnd ? 1 : -1), 0), count - 1);
  return undefined;
}

/** Number of interrupted smooth scrolls to an image after which it is shown without scrolling. */
const MAX_TRIES = 3;

/** Images in a list that scrolls horizontally. The requested image determines the scroll position; a scroll by touch or a screen reader
 *  changes the current image. */
export class Track {
  /** @param onShown called with the index of the image that is now visible */
  constructor(list, onShown) {
    this.list = list;
    this.onShown = onShown;
    this.now = this.#nearest ?? 0;
    /** Target position of the scroll in progress. */
    this.wanted = undefined;
    this.isMoving = false;
    for (const type of ["pointerdown", "wheel", "touchstart"])
      list.addEventListener(type, () => this.#let(), { passive: true });
    list.addEventListener("scroll", () => this.#moved(), { passive: true });
    list.addEventListener("scrollend", () => this.#arrive());
    // Shows the same image after a rotation, a resize, or printing.
    this.width = list.clientWidth;
    new ResizeObserver(() => this.#resized()).observe(list);
  }

  get slides() {
    return [...this.list.children];
  }

  /** Scrolls the list to an image, without scrolling the page.
   *  @param behavior "instant", or "auto" for the behavior in the style sheet */
  show(place, behavior = "auto") {
    if (this.list.children[place] === undefined) return;
    this.wanted = place;
    this.tries = 0;
    this.#mark(place);
    this.#scroll(behavior);
  }

  /** @returns whether there is an image at this index */
  step(by) {
    const isThere = this.list.children[this.now + by] !== undefined;
    if (isThere) this.show(this.now + by);
    return isThere;
  }

  #scroll(behavior) {
    const distance = this.#distance(this.list.children[this.wanted]);
    // Scrolls even if the list is at the position: this ends a scroll in progress.
    const isThere = Math.abs(distance) < 1;
    if (isThere && !this.isMoving) this.wanted = undefined;
    this.isMoving ||= !isThere;
    this.list.scrollTo({ left: this.list.scrollLeft + distance, behavior: isThere ? "instant" : behavior });
  }

  #distance(slide) {
    return slide.getBoundingClientRect().left - this.list.getBoundingClientRect().left;
  }

  #moved() {
    this.isMoving = true;
    this.#follow();
  }

  /** Handles the end of a scroll. If an earlier scroll was interrupted, the list may have snapped to another image. */
  #arrive() {
    this.isMoving = false;
    const slide = this.list.children[this.wanted];
    if (slide === undefined || Math.abs(this.#distance(slide)) < 2) return this.#let();
    this.tries += 1;
    this.#scroll(this.tries < MAX_TRIES ? "auto" : "instant");
  }

  #let() {
    this.wanted = undefined;
    this.#follow();
  }

  #follow() {
    if (this.wanted === undefined) this.#mark(this.#nearest ?? this.now);
  }

  /** Index of the image nearest to the start of the list; undefined if the list is empty. */
  get #nearest() {
    const distances = this.slides.map((slide) => (slide.clientWidth > 0 ? Math.abs(this.#distance(slide)) : Infinity));
    const nearest = Math.min(...distances);
    return nearest === Infinity ? undefined : distances.indexOf(nearest);
  }

  #resized() {
    const { clientWidth } = this.list;
    if (clientWidth === this.width) return;
    this.width = clientWidth;
    if (clientWidth > 0) this.show(this.now, "instant");
  }

  #mark(place) {
    if (place === this.now) return;
    this.now = place;
    this.onShown(place);
  }
}

/** Updates the number of the current image, and whether there is an image before and after it. */
export function showSteps(root, now, count) {
  const number = root.querySelector("[data-now]");
  if (number === null) return;
  number.textContent = now + 1;
  for (const button of root.querySelectorAll("[data-step-picture]")) {
    const isEnd = now + Number(button.dataset.stepPicture) < 0 || now + Number(button.dataset.stepPicture) >= count;
    // A disabled button would lose the focus.
    button.setAttribute("aria-disabled", String(isEnd));
  }
}

/** Index that a key moves to; undefined for other keys. */
export function keyed(key, place, count) {
  const towardsEnd = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === "ArrowLeft" || key === "ArrowRight")
    return Math.min(Math.max(place + (key === towardsEnd ? 1 : -1), 0), count - 1);
  return undefined;
}

import { announce } from "./api.js";
import { Zoom } from "./gallery-zoom.js";
import { keyed, showSteps, Track } from "./image-track.js";

/** The images of a product. */
class ProductGallery extends HTMLElement {
  connectedCallback() {
    this.thumbs = [...this.querySelectorAll(".gallery__thumb")];
    this.stage = this.querySelector(".gallery__stage");
    this.track = new Track(this.querySelector("[data-track]"), () => this.#shown());
    this.zoom = new Zoom(this.querySelector("[data-zoom]"), this);
    this.addEventListener("click", this);
    this.addEventListener("keydown", this);
    this.product = this.closest(".product");
    this.product?.addEventListener("variant:chosen", this);
    this.#shown();
  }

  disconnectedCallback() {
    this.product?.removeEventListener("variant:chosen", this);
  }

  handleEvent(event) {
    if (event.type === "variant:chosen") this.#showVariant(event.detail.picture);
    if (event.type === "click") this.#click(event);
    if (event.type === "keydown") this.#key(event);
  }

  /** Returns "Image 2 of 5". */
  position(place) {
    return this.dataset.position.replace("#", place + 1);
  }

  #click(event) {
    const { target } = event;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const thumb = target.closest(".gallery__thumb");
    const picture = target.closest(".gallery__picture");
    const step = this.stage.contains(target) ? target.closest("[data-step-picture]") : null;
    if (thumb !== null && isPlain) {
      event.preventDefault();
      this.track.show(this.thumbs.indexOf(thumb));
    }
    if (picture !== null && isPlain) {
      event.preventDefault();
      this.zoom.open(this.track.slides.indexOf(picture.parentElement));
    }
    if (step !== null) this.#step(Number(step.dataset.stepPicture));
  }

  #step(by) {
    if (this.track.step(by)) announce(this.position(this.track.now));
  }

  /** Moves between thumbnails, and between images, with the arrow keys. */
  #key(event) {
    const { target } = event;
    if (target.closest("dialog, video") !== null || event.altKey || event.ctrlKey || event.metaKey) return;
    const list = target.matches(".gallery__thumb") ? this.thumbs : this.pictures;
    if (!list.includes(target)) return;
    const place = keyed(event.key, list.indexOf(target), list.length);
    if (place === undefined) return;
    event.preventDefault();
    this.track.show(place);
    list[place].focus({ preventScroll: true });
  }

  /** Shows the image of a variant without scrolling smoothly. For a variant without an image, nothing changes. */
  #showVariant(picture) {
    const place = this.track.slides.findIndex(({ dataset }) => dataset.picture === picture);
    if (picture !== undefined && place >= 0) this.track.show(place, "instant");
  }

  get pictures() {
    return this.track.slides.map((slide) => slide.firstElementChild);
  }

  #shown() {
    const { now, slides } = this.track;
    for (const [place, slide] of slides.entries()) {
      slide.toggleAttribute("data-current", place === now);
      // Only the current image can be reached with the Tab key.
      slide.firstElementChild.tabIndex = place === now ? 0 : -1;
    }
    for (const [place, thumb] of this.thumbs.entries()) {
      if (place === now) thumb.setAttribute("aria-current", "true");
      else thumb.removeAttribute("aria-current");
    }
    showInRow(this.thumbs[now]);
    showSteps(this.stage, now, slides.length);
  }
}

/** Scrolls a row of thumbnails until one of them is visible, without scrolling the page. */
function showInRow(thumb) {
  if (thumb === undefined) return;
  const row = thumb.closest("ul");
  const there = thumb.getBoundingClientRect();
  const frame = row.getBoundingClientRect();
  if (there.left < frame.left) row.scrollBy({ left: there.left - frame.left });
  if (there.right > frame.right) row.scrollBy({ left: there.right - frame.right });
}

customElements.define("product-gallery", ProductGallery);

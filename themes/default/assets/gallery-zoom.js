import { keyed, showSteps, Track } from "./image-track.js";

/** Shows the images of a gallery one by one in full screen. An image can be zoomed and moved. */
export class Zoom {
  constructor(dialog, gallery) {
    this.dialog = dialog;
    this.gallery = gallery;
    this.status = dialog.querySelector("[data-status]");
    this.magnifyButton = dialog.querySelector("[data-magnify]");
    this.track = new Track(dialog.querySelector("[data-track]"), () => this.#shown());
    dialog.addEventListener("click", (event) => this.#click(event));
    dialog.addEventListener("keydown", (event) => this.#key(event));
    for (const type of ["pointerdown", "pointermove"]) dialog.addEventListener(type, (event) => this.#drag(event));
    // Prevents dragging an image out of the page.
    dialog.addEventListener("dragstart", (event) => event.preventDefault());
    dialog.addEventListener("close", () => this.#closed());
  }

  open(place) {
    if (this.track.slides.length === 0) {
      // Videos and 3D models come after the images.
      const pictures = this.gallery.track.slides.filter((slide) => slide.querySelector(".gallery__picture"));
      this.track.list.append(...pictures.map(largeSlide));
    }
    this.dialog.showModal();
    this.track.show(place, "instant");
    this.#shown();
    // Keys scroll the zoomed image.
    this.slide.focus({ preventScroll: true });
  }

  #closed() {
    this.status.textContent = "";
    this.#reset();
    const { now } = this.track;
    this.gallery.track.show(now, "instant");
    this.gallery.pictures[now]?.focus({ preventScroll: true });
  }

  #click(event) {
    const { target } = event;
    const step = target.closest("[data-step-picture]");
    if (step !== null) this.#step(Number(step.dataset.stepPicture));
    if (target.closest("[data-magnify]") !== null) this.#magnify(!this.isMagnified);
    // Ignores the click event that follows a drag.
    if (target.closest("button") !== null || this.isDragged) return;
    if (this.isMagnified || isOnPicture(event, this.image)) this.#magnify(!this.isMagnified, event);
    else this.dialog.close();
  }

  /** Scrolls by dragging with a mouse; touch scrolls natively. */
  #drag(event) {
    if (event.type === "pointerdown") this.isDragged = false;
    if (event.pointerType !== "mouse" || event.buttons !== 1 || !this.isMagnified) return;
    event.preventDefault();
    if (Math.abs(event.movementX) + Math.abs(event.movementY) > 0) this.isDragged ||= event.type === "pointermove";
    this.slide.scrollBy(-event.movementX, -event.movementY);
  }

  #step(by) {
    if (this.track.step(by)) this.status.textContent = this.gallery.position(this.track.now);
  }

  #key(event) {
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (key === "+" || key === "=") this.#magnify(true);
    if (key === "-") this.#magnify(false);
    if (event.target.closest("button") === null && (key === "Enter" || key === " ")) {
      event.preventDefault();
      this.#magnify(!this.isMagnified);
    }
    if (!key.startsWith("Arrow") && key !== "Home" && key !== "End") return;
    event.preventDefault();
    const [x, y] = directions[key] ?? [0, 0];
    const { slide, track } = this;
    // The horizontal scroll direction inside an image does not depend on the text direction.
    if (this.isMagnified) slide.scrollBy(x * slide.clientWidth * 0.3, y * slide.clientHeight * 0.3);
    else this.#step((keyed(key, track.now, track.slides.length) ?? track.now) - track.now);
  }

  /** Index of the visible image. */
  get slide() {
    return this.track.slides[this.track.now];
  }

  get image() {
    return this.slide.firstElementChild;
  }

  get isMagnified() {
    return this.magnifyButton.getAttribute("aria-pressed") === "true";
  }

  /** @param at the position of the click, which stays in place. Default: the center of the image. */
  #magnify(isWanted, at) {
    if (isWanted === this.isMagnified) return;
    this.magnifyButton.setAttribute("aria-pressed", String(isWanted));
    const { slide, image } = this;
    const frame = slide.getBoundingClientRect();
    const before = image.getBoundingClientRect();
    const point = { x: at?.clientX ?? frame.x + frame.width / 2, y: at?.clientY ?? frame.y + frame.height / 2 };
    slide.toggleAttribute("data-magnified", isWanted);
    image.sizes = isWanted ? "250vw" : "100vw";
    slide.scrollTo({
      left: ((point.x - before.x) / before.width) * image.offsetWidth - (point.x - frame.x),
      top: ((point.y - before.y) / before.height) * image.offsetHeight - (point.y - frame.y),
      behavior: "instant",
    });
  }

  #reset() {
    this.magnifyButton.setAttribute("aria-pressed", "false");
    for (const slide of this.track.slides) {
      slide.removeAttribute("data-magnified");
      slide.firstElementChild.sizes = "100vw";
    }
  }

  #shown() {
    this.#reset();
    const { now, slides } = this.track;
    for (const [place, slide] of slides.entries()) slide.tabIndex = place === now ? 0 : -1;
    showSteps(this.dialog, now, slides.length);
  }
}

/** Creates a copy of a gallery image in the largest size. */
function largeSlide(slide) {
  const shown = slide.querySelector("img");
  const link = slide.querySelector("a");
  const item = document.createElement("li");
  item.className = "zoom__slide";
  const image = new Image();
  image.alt = shown.alt;
  image.loading = "lazy";
  image.sizes = "100vw";
  const width = Number(link.dataset.width);
  image.dataset.shape = String(shown.naturalWidth / shown.naturalHeight);
  if (shown.srcset !== "")
    image.srcset = shown.srcset + (width > 1_600 ? `, ${link.href} ${Math.min(width, 2_400)}w` : "");
  image.src = link.href;
  item.append(image);
  return item;
}

/** Whether a point is on the image and not on the margin around it. */
function isOnPicture({ clientX, clientY }, image) {
  // Until the image is loaded, the smaller one has the same ratio. NaN: unknown.
  const shape = image.naturalWidth > 0 ? image.naturalWidth / image.naturalHeight : Number(image.dataset.shape);
  if (Number.isNaN(shape)) return true;
  const { x, y, width, height } = image.getBoundingClientRect();
  const shown = { width: Math.min(width, height * shape), height: Math.min(height, width / shape) };
  return Math.abs(clientX - x - width / 2) <= shown.width / 2 && Math.abs(clientY - y - height / 2) <= shown.height / 2;
}

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

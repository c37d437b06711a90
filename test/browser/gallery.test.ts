import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { sharedDemo, startDemo } from "../support/browser.ts";
import { product } from "../support/catalog.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";

const demo = await sharedDemo();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desk = { viewport: { width: 1_440, height: 900 } };

/** Returns the image in view by its position, the image that the label states and the current thumbnail. */
async function galleryState(page: Page): Promise<{ image: string; count: string; current: string }> {
  return (await page.evaluate(`(() => {
    const track = document.querySelector(".gallery__track");
    const { left } = track.getBoundingClientRect();
    const slide = [...track.children].find((one) => Math.abs(one.getBoundingClientRect().left - left) < 2);
    return {
      image: slide?.querySelector("img").src.replace(/.*\\/media\\/|\\.webp.*/g, "") ?? "",
      count: document.querySelector(".gallery__stage .gallery__count")?.textContent ?? "",
      current: document.querySelector(".gallery__thumb[aria-current]")?.getAttribute("aria-label") ?? "",
    };
  })()`)) as { image: string; count: string; current: string };
}

async function untilImage(page: Page, image: string): Promise<void> {
  await until(async () => (await galleryState(page)).image === image, `the gallery shows ${image}`);
}

const watchShifts =
  "window.shifted = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value }).observe({ type: 'layout-shift', buffered: true })";

test("on a phone five images leave the title on the first screen, and swipes and buttons move the images only", async () => {
  const { page, close } = await demo.open("/products/raincoat", { ...phone, isFirst: true });
  await page.evaluate(watchShifts);
  const title = await page.locator("h1").boundingBox();
  assert.ok(title !== null && title.y + title.height < 844, `the title ends at ${title?.y}`);
  assert.deepEqual(await galleryState(page), {
    image: "raincoat-yellow",
    count: "1 / 5",
    current: "Image 1 of 5: Raincoat in yellow",
  });
  const touch = await page.context().newCDPSession(page);
  const finger = (type: "touchStart" | "touchMove" | "touchEnd", x: number): Promise<unknown> =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y: 300 }] });
  await finger("touchStart", 340);
  for (let x = 330; x >= 60; x -= 15) await finger("touchMove", x);
  await finger("touchEnd", 60);
  await untilImage(page, "raincoat-yellow-near");
  await page.locator(".gallery__stage").getByText("2 / 5").waitFor();
  await page.getByRole("button", { name: "Next image" }).tap();
  await untilImage(page, "raincoat-yellow-detail");
  assert.equal((await galleryState(page)).count, "3 / 5");
  assert.ok(Number(await page.evaluate("window.shifted")) < 0.001);
  assert.equal(await page.evaluate("scrollY"), 0);
  const images = page.locator(".gallery__slide img");
  assert.deepEqual(
    await images.evaluateAll((all) =>
      all.map((one) => `${one.getAttribute("loading")} ${one.getAttribute("fetchpriority")}`),
    ),
    ["eager high", "lazy null", "lazy null", "lazy null", "lazy null"],
  );
  await close();
});

test("the image follows the variant at once, and viewing an image does not select a variant", async () => {
  const { page, close } = await demo.open("/products/raincoat", desk);
  await page.locator("label", { hasText: "Navy" }).click();
  assert.deepEqual(await galleryState(page), {
    image: "raincoat-navy",
    count: "4 / 5",
    current: "Image 4 of 5: Raincoat in navy",
  });
  const variant = page.url();
  assert.match(variant, /variant=102$/);
  await page.locator(".gallery__thumb").nth(1).click();
  await untilImage(page, "raincoat-yellow-near");
  assert.equal(page.url(), variant);
  assert.ok(await page.getByRole("radio", { name: "Navy" }).isChecked());
  // Selecting another size of the same color shows its image without scrolling the page.
  await page.getByRole("radio", { name: "M", exact: true }).check();
  assert.equal((await galleryState(page)).image, "raincoat-navy");
  assert.equal(await page.evaluate("scrollY"), 0);
  await close();
});

test("a scroll that is interrupted repeatedly still ends at the requested image", async () => {
  const { page, close } = await demo.open("/products/raincoat", desk);
  await page.evaluate(`(() => {
    const track = document.querySelector(".gallery__track");
    // Interrupts every step of a smooth scroll.
    track.addEventListener("scroll", () => {
      const { left } = track.getBoundingClientRect();
      const isBetween = [...track.children].every((slide) => Math.abs(slide.getBoundingClientRect().left - left) > 2);
      if (isBetween) track.scrollTo({ left: track.scrollLeft, behavior: "instant" });
    });
  })()`);
  const thumb = page.locator(".gallery__thumb");
  for (const [index, image, count] of [
    [3, "raincoat-navy", "4 / 5"],
    [0, "raincoat-yellow", "1 / 5"],
  ] as const) {
    await thumb.nth(index).click();
    await untilImage(page, image);
    assert.equal((await galleryState(page)).count, count);
  }
  await close();
});

test("buttons pressed in quick succession in both directions on a slow machine end at the correct image", async () => {
  const { page, close } = await demo.open("/products/raincoat", { ...desk, isFirst: true });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  const imageNames = ["yellow", "yellow-near", "yellow-detail", "navy", "navy-near"].map((name) => `raincoat-${name}`);
  let at = 0;
  for (const [gap, presses] of [
    [12, [1, 1, -1, 1, 1]],
    [70, [-1, -1, 1, -1]],
    [30, [1, -1, 1, -1, 1]],
    [120, [1, 1, 1, 1]],
    [200, [-1, -1, -1, -1]],
  ] as const) {
    await page.evaluate(`(async () => {
      for (const by of ${JSON.stringify(presses)}) {
        document.querySelector('.gallery__stage [data-step-picture="' + by + '"]').click();
        await new Promise((resolve) => setTimeout(resolve, ${gap}));
      }
    })()`);
    for (const by of presses) at = Math.min(Math.max(at + by, 0), imageNames.length - 1);
    await untilImage(page, imageNames[at] ?? "");
    assert.equal((await galleryState(page)).count, `${at + 1} / 5`, `presses ${gap} ms apart`);
  }
  await close();
});

test("without JavaScript the variant's image is first, thumbnails link to the others and a click opens an image", async () => {
  const { page, close } = await demo.open("/products/raincoat?variant=102", { ...desk, javaScriptEnabled: false });
  assert.equal((await galleryState(page)).image, "raincoat-navy");
  await page.locator(".gallery__thumb").nth(2).click();
  await untilImage(page, "raincoat-yellow");
  assert.equal(await page.getByRole("button", { name: "Next image" }).count(), 0);
  await page.locator(".gallery__slide").nth(2).locator("a").click();
  await page.waitForURL("**/media/raincoat-yellow.webp?width=2400");
  await close();
});

for (const { code, ahead, back } of [
  { code: "", ahead: "ArrowRight", back: "ArrowLeft" },
  { code: "/ar", ahead: "ArrowLeft", back: "ArrowRight" },
])
  test(`by keyboard${code}: arrows move through the thumbnails, Enter zooms, plus magnifies, Escape returns to the same image`, async () => {
    const { page, close } = await demo.open(`${code}/products/raincoat`, { ...desk, reducedMotion: "reduce" });
    const focused = (): Promise<unknown> =>
      page.evaluate(
        "document.activeElement.closest('li')?.parentElement.className + ' ' + [...(document.activeElement.closest('li')?.parentElement.children ?? [])].indexOf(document.activeElement.closest('li'))",
      );
    await page.locator(".gallery__thumb").first().focus();
    for (const [key, image] of [
      [ahead, "raincoat-yellow-near"],
      [ahead, "raincoat-yellow-detail"],
      [back, "raincoat-yellow-near"],
    ] as const) {
      await page.keyboard.press(key);
      await untilImage(page, image);
    }
    assert.equal(await focused(), "gallery__thumbs 1");
    assert.notEqual(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none");
    assert.equal(await page.locator(".gallery__thumb[aria-current]").count(), 1);
    await page.locator(".gallery__slide[data-current] a").focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 / 5").waitFor();
    const magnified = dialog.locator("[data-magnified] img");
    await page.keyboard.press(ahead);
    await dialog.getByText("3 / 5").waitFor();
    await page.keyboard.press("+");
    assert.equal((await magnified.boundingBox())?.width, 1_440 * 2.5);
    const left = (await magnified.boundingBox())?.x ?? 0;
    await page.keyboard.press("ArrowRight");
    assert.ok(((await magnified.boundingBox())?.x ?? 0) < left, "arrows pan a magnified image");
    await dialog.getByText("3 / 5").waitFor();
    await page.keyboard.press("-");
    assert.equal(await magnified.count(), 0);
    await page.keyboard.press("Home");
    await dialog.getByText("1 / 5").waitFor();
    await page.keyboard.press(ahead);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    assert.equal(await focused(), "gallery__track 1");
    assert.equal((await galleryState(page)).image, "raincoat-yellow-near");
    await close();
  });

test("a click magnifies the clicked point, a drag pans, a click outside the image closes, and one image has no controls", async () => {
  const { page, close } = await demo.open("/products/digital-tide-table", { ...desk, reducedMotion: "reduce" });
  assert.equal(await page.locator(".gallery__thumb, .gallery__steps").count(), 0);
  await page.getByRole("link", { name: /^Enlarge image 1 of 1/ }).click();
  const dialog = page.getByRole("dialog");
  const image = dialog.locator("img");
  // The position of the click depends on the decoded image's size.
  await image.evaluate((element) => element.decode());
  await image.click({ position: { x: 900, y: 300 } });
  const before = await image.boundingBox();
  // The clicked point is at 900/1440 of the width and 300/900 of the height. It stays under the pointer.
  assert.ok(Math.abs((before?.x ?? 0) + (900 / 1_440) * 3_600 - 900) < 2);
  assert.ok(Math.abs((before?.y ?? 0) + (300 / 900) * 2_250 - 300) < 2);
  await page.mouse.move(700, 400);
  await page.mouse.down();
  await page.mouse.move(600, 350, { steps: 4 });
  await page.mouse.up();
  const after = await image.boundingBox();
  assert.deepEqual([(after?.x ?? 0) - (before?.x ?? 0), (after?.y ?? 0) - (before?.y ?? 0)], [-100, -50]);
  await page.mouse.click(700, 400);
  assert.equal(await dialog.locator("[data-magnified]").count(), 0);
  await image.evaluate((element) => element.decode());
  await page.mouse.click(60, 450);
  await dialog.waitFor({ state: "hidden" });
  await close();
});

test("the print layout has the current image and no controls", async () => {
  const { page, close } = await demo.open("/products/raincoat", desk);
  await page.locator(".gallery__thumb").nth(3).click();
  await untilImage(page, "raincoat-navy");
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(
    await page.locator(".gallery__slide:visible img").evaluateAll((all) => all.map((one) => one.getAttribute("src"))),
    ["/media/raincoat-navy.webp?width=1600"],
  );
  assert.equal(await page.locator(".gallery__thumbs:visible, .gallery__steps:visible").count(), 0);
  await close();
});

test("images of any shape fit one frame without layout shift, keep their ratio in lists, and a product without images begins with its title", async () => {
  const shapes = [
    { name: "tall", width: 600, height: 900 },
    { name: "wide", width: 1_200, height: 400 },
    { name: "unknown", width: 640, height: 640 },
  ];
  const drawing = (width: number, height: number): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#c96"/></svg>`;
  const images = shapes.map(({ name, width, height }) => ({
    src: `/media/${name}.svg`,
    ...(name === "unknown" ? {} : { width, height }),
  }));
  const source = await makeStore({
    hasTheme: false,
    rows: [
      { ...product(1, "several", "Several", [{ id: 11, price: 500 }]), vendor: "", images },
      { ...product(3, "panorama", "Panorama", [{ id: 31, price: 500 }]), images: images.slice(1, 2) },
      product(2, "none", "None", [{ id: 21, price: 500 }]),
    ],
    storeFiles: Object.fromEntries(
      shapes.map(({ name, width, height }) => [`media/${name}.svg`, drawing(width, height)]),
    ),
  });
  const shop = await startDemo(undefined, { source });
  after(async () => {
    await shop.close();
    await rm(source, { recursive: true });
  });
  for (const device of [phone, desk]) {
    const { page, close } = await shop.open("/products/several", { ...device, isFirst: true });
    await page.evaluate(watchShifts);
    await page.waitForLoadState("networkidle");
    const frames = (await page.evaluate(
      "[...document.querySelectorAll('.gallery__slide')].map((slide) => [slide, slide.querySelector('img')].map((one) => { const { width, height } = one.getBoundingClientRect(); return [width, height].map(Math.round).join() + ' ' + getComputedStyle(one).objectFit }).join(' '))",
    )) as readonly string[];
    assert.equal(new Set(frames).size, 1, frames.join("; "));
    const [, frame, image] = /^(\S+) fill (\S+) contain$/.exec(frames[0] ?? "") ?? [];
    assert.equal(image, frame);
    assert.ok(Number(frame?.split(",")[1]) > Number(frame?.split(",")[0]), `upright: ${frame}`);
    const [stage, title] = [
      await page.locator(".gallery__stage").boundingBox(),
      await page.locator("h1").boundingBox(),
    ];
    assert.ok(stage !== null && title !== null);
    if (device === phone) assert.ok(title.y - stage.y - stage.height >= 12, "the title has space below the image");
    // A title with a late web font shifts slightly. An image without reserved space would shift thousands of times as
    // much.
    assert.ok(Number(await page.evaluate("window.shifted")) < 0.001);
    await page.goto("/products/none");
    assert.equal(await page.locator(".product :is(img, .no-picture, product-gallery)").count(), 0);
    assert.ok(((await page.locator("h1").boundingBox())?.y ?? 0) < 300);
    await close();
  }
  const { page, close } = await shop.open("/collections/all", desk);
  const cards = (await page.evaluate(
    "[...document.querySelectorAll('.card:has(img)')].map((card) => { const { width, height } = card.querySelector('img').getBoundingClientRect(); return [width / height, card.querySelector('.card__title').getBoundingClientRect().top].map((value) => value.toFixed(1)) })",
  )) as readonly [ratio: string, titleTop: string][];
  assert.deepEqual(cards.map(([ratio]) => ratio).sort(), ["0.7", "3.0"]);
  assert.equal(cards[0]?.[1], cards[1]?.[1], "titles of a row are at the same height");
  await close();
});

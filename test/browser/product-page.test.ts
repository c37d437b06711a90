import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { startDemo } from "../support/browser.ts";
import { product } from "../support/catalog.ts";
import { makeStore } from "../support/shop.ts";

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600"/></svg>';
const media = [
  { src: "/media/tent.mp4", alt: "Pitching the tent" },
  { src: "https://www.youtube.com/watch?v=dQw4w9WgXcQ", alt: "Review" },
  { src: "/media/tent.glb" },
];
const tent = {
  ...product(1, "tent", "Tent", [{ id: 11, price: 500 }]),
  images: [{ src: "/media/tent.svg", width: 600, height: 600 }],
  media,
};
const combined_listing = ["red-shirt", "blue-shirt"];
const shirts = ["Red", "Blue"].map((color, index) => ({
  ...product(
    2 + index,
    `${color.toLowerCase()}-shirt`,
    `${color} shirt`,
    ["S", "M"].map((size, position) => ({ id: 20 + 10 * index + position, price: 900, options: [color, size] })),
  ),
  options: ["Color", "Size"],
  combined_listing,
}));

const source = await makeStore({
  hasTheme: false,
  rows: [tent, ...shirts],
  storeFiles: { "media/tent.svg": image, "media/tent.mp4": "", "media/tent.glb": "" },
});
const shop = await startDemo(undefined, { source });
after(async () => {
  await shop.close();
  await rm(source, { recursive: true });
});

test("the gallery shows videos and 3D models after the images, and the zoom only the images", async () => {
  const { page, close } = await shop.open("/products/tent", { viewport: { width: 1_280, height: 900 } });
  const gallery = page.locator("product-gallery");
  assert.equal(await gallery.locator(".gallery__thumb").count(), 4);
  const video = gallery.locator("video");
  assert.equal(await video.getAttribute("poster"), "/media/tent.svg");
  assert.equal(await video.evaluate((element) => (element as unknown as { controls: boolean }).controls), true);
  const model = gallery.getByRole("link", { name: /Open 3D model/ });
  assert.equal(await model.getAttribute("href"), "/media/tent.glb");
  const review = gallery.getByRole("link", { name: /Review.*Play video/ });
  assert.equal(await review.getAttribute("href"), "https://www.youtube.com/embed/dQw4w9WgXcQ");
  await gallery.locator(".gallery__thumb").nth(2).click();
  await gallery.locator(".gallery__slide[data-current] .gallery__play").getByText("Play video").waitFor();
  await gallery.locator(".gallery__thumb").first().click();
  await gallery.locator(".gallery__picture").first().click();
  assert.equal(await page.locator(".zoom__slide").count(), 1);
  await close();
});

test("a value of another product in a combined listing leads to that product with the other values", async () => {
  const { page, close } = await shop.open("/products/red-shirt");
  await page.getByRole("radio", { name: "M", exact: true }).check();
  const color = page.getByRole("group", { name: "Color" });
  assert.equal(await color.getByRole("radio", { name: "Red" }).isChecked(), true);
  await color.getByRole("link", { name: "Blue" }).click();
  await page.getByRole("heading", { level: 1, name: "Blue shirt" }).waitFor();
  assert.equal(await page.getByRole("radio", { name: "M", exact: true }).isChecked(), true);
  assert.equal(await color.getByRole("radio", { name: "Blue" }).isChecked(), true);
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.locator("cart-drawer").getByText("Blue shirt").waitFor();
  await close();
});

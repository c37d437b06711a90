// Packs the package, installs it in an empty project without a registry, and uses it with the demo store.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startDemoShop } from "../../../test/support/demo-shop.ts";
import { checkFiles, checkPrograms, checkTypes, installPackage } from "../../../test/support/package-project.ts";

const project = await installPackage("client");

test("the package contains scripts, declarations, and its README, and no source", (t) =>
  checkFiles(t, project, "src/client"));

test("the README's program prints the output that it shows", async () => {
  assert.equal(project.programs.length, 1);
  const { origin } = await startDemoShop();
  await checkPrograms(project, { SHOP: origin });
});

test("the types are valid under the strictest compiler settings and without Node types", async () => {
  const program = `import {
  type CallOptions, type ConnectionOptions, createClient, type Order, type Product, type ShopperCart, type SuggestAnswer, type VitrineClient,
  VitrineError, type WriteOptions,
} from "@vitrine/client";
const options: ConnectionOptions = { origin: "https://shop.example", pauses: [100] };
export const shop: VitrineClient = createClient(options);
const cart: ShopperCart = shop.cart();
const once: WriteOptions = { idempotencyKey: "a", ifMatch: 1 };
const call: CallOptions = { signal: AbortSignal.timeout(1_000) };
await cart.add([{ id: 1, quantity: 2 }], once);
export const product: Product = await shop.product("coat", call);
export const found: SuggestAnswer = await shop.suggest("coat", { types: ["product"] });
export const orders: readonly Order[] = (await shop.orders.list({ paymentState: "paid" })).orders;
export const isMissing = (error: unknown): boolean => error instanceof VitrineError && error.code === "not_found";
// @ts-expect-error a type of results that does not exist
await shop.suggest("coat", { types: ["person"] });
`;
  await checkTypes(project, program, ["esnext", "dom"]);
});

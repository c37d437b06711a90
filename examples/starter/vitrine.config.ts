import { defineStore } from "vitrine";

export default defineStore({
  name: "My shop",
  currency: "USD",
  locales: { default: "en", others: [] },
  // Default menus: the first collections and the pages. Default collections: one per product type and vendor.
});

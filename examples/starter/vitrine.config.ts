import { defineStore } from "vitrine";

export default defineStore({
  name: "My shop",
  currency: "USD",
  locales: { default: "en", others: [] },
  // Default menus: the first collections and the pages. Default collections: one for each product type and vendor.
});

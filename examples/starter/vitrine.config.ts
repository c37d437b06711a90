import { defineStore } from "vitrine";

export default defineStore({
  name: "My shop",
  currency: "USD",
  locales: { default: "en", others: [] },
  console: true,
  // The default menus contain the first collections and the pages. By default, each product type and vendor has a
  // collection.
});

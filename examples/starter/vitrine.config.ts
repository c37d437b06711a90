import { defineStore } from "vitrine";

export default defineStore({
  name: "My shop",
  currency: "USD",
  locales: { default: "en", others: [] },
  // Without `menus` the first collections and the pages are the menus; without collections there is one for each type and vendor.
});

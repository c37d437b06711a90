import { defineStore } from "vitrine";

export default defineStore({
  name: "My shop",
  currency: "USD",
  locales: { default: "en", others: [] },
  menus: {
    "main-menu": [
      { title: "All products", url: "/collections/all" },
      { title: "About us", url: "/pages/about" },
    ],
    footer: [{ title: "About us", url: "/pages/about" }],
  },
});

import { defineStore } from "vitrine";

export default defineStore({
  name: "Harbour Outfitters",
  currency: "USD",
  locales: { default: "en", others: ["fr", "ja", "ar"] },
  themePreset: "Harbour",
  console: true,
  invoices: { issue: false },
  shipping: {
    rates: [
      {
        name: "Standard",
        price: 600,
        freeFrom: 15_000,
        translations: { fr: "Standard", ja: "通常便", ar: "عادي" },
      },
      { name: "Express", price: 1_800, translations: { fr: "Express", ja: "速達便", ar: "سريع" } },
    ],
  },
  search: {
    synonyms: [
      ["jumper", "sweater", "pullover"],
      ["boots", "wellingtons", "wellies"],
      ["trousers", "pants"],
      ["torch", "flashlight"],
      ["lantern", "lamp"],
      ["rucksack", "backpack"],
      ["jug", "pitcher"],
      ["flask", "thermos"],
      ["anorak", "jacket"],
      ["children", "kids"],
    ],
  },
  menus: {
    "main-menu": [
      { title: "Rainwear", url: "/collections/rainwear", translations: { fr: "Pluie", ja: "雨具", ar: "ملابس المطر" } },
      {
        title: "Knitwear",
        url: "/collections/knitwear",
        translations: { fr: "Tricots", ja: "ニット", ar: "ملابس صوفية" },
      },
      {
        title: "The Galley",
        url: "/collections/galley",
        translations: { fr: "La cambuse", ja: "台所", ar: "مطبخ السفينة" },
      },
      { title: "Lights", url: "/collections/lights", translations: { fr: "Lanternes", ja: "灯り", ar: "فوانيس" } },
      {
        title: "For Small Crew",
        url: "/collections/small-crew",
        translations: { fr: "Petits équipages", ja: "こども", ar: "للصغار" },
      },
      { title: "Home, Ashore", url: "/collections/ashore", translations: { fr: "À terre", ja: "陸の家", ar: "البيت" } },
      {
        title: "All collections",
        url: "/collections",
        translations: { fr: "Toutes les collections", ja: "すべてのコレクション", ar: "كل المجموعات" },
      },
      {
        title: "Tide Notes",
        url: "/blogs/tide-notes",
        translations: { fr: "Carnet de marée", ja: "潮のたより", ar: "أخبار المدّ" },
      },
    ],
    footer: [
      {
        title: "About us",
        url: "/pages/about",
        translations: { fr: "Qui sommes-nous", ja: "私たちについて", ar: "من نحن" },
      },
      {
        title: "Shipping and returns",
        url: "/pages/shipping",
        translations: { fr: "Livraison et retours", ja: "配送と返品", ar: "الشحن والإرجاع" },
      },
      {
        title: "Care and repair",
        url: "/pages/care",
        translations: { fr: "Entretien et réparation", ja: "お手入れと修理", ar: "العناية والإصلاح" },
      },
      {
        title: "Size guide",
        url: "/pages/size-guide",
        translations: { fr: "Guide des tailles", ja: "サイズの目安", ar: "دليل المقاسات" },
      },
      {
        title: "Workbench",
        url: "/blogs/workbench",
        translations: { fr: "L’établi", ja: "作業台から", ar: "طاولة العمل" },
      },
      {
        title: "Contact",
        url: "/pages/contact",
        translations: { fr: "Contact", ja: "お問い合わせ", ar: "اتصلوا بنا" },
      },
    ],
  },
});

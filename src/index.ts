export { type App, type AppOptions, createApp } from "./app.ts";
export { type Config, defineStore, type MenuLink, type StoreSettings } from "./config/settings.ts";
export type { Shop } from "./shop.ts";

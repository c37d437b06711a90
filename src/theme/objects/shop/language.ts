import { addPathPrefix, getHost, type View } from "../../view.ts";
import { createObjectType } from "../template-object.ts";
import { getHomeCountry, listAvailableCountries, marketObject } from "./country.ts";
import { createLanguageObjects, getCurrentLanguage } from "./shop-locale.ts";

interface RequestData {
  readonly view: View;
  readonly pageType: string;
}

export const requestType = createObjectType<RequestData>(
  "request",
  {
    page_type: ({ pageType }) => pageType,
    path: ({ view }) => addPathPrefix(view, view.path),
    origin: ({ view }) => view.request.origin,
    host: ({ view }) => getHost(view),
    locale: ({ view }) => getCurrentLanguage(view),
    design_mode: () => false,
    visual_preview_mode: () => false,
  },
  {},
  { fieldTypes: { locale: "shop_locale" } },
);

export const localizationType = createObjectType<View>(
  "localization",
  {
    language: (view) => getCurrentLanguage(view),
    available_languages: (view) => createLanguageObjects(view),
    country: (view) => getHomeCountry(view),
    market: () => marketObject,
  },
  {
    available_countries: (view) => listAvailableCountries(view),
  },
  {
    fieldTypes: {
      language: "shop_locale",
      available_languages: "shop_locale[]",
      country: "country",
      available_countries: "country[]",
      market: "market",
    },
  },
);

import { isIP } from "node:net";
import type { Config, MenuLink } from "./config.ts";
import { settingLine } from "./config-lines.ts";
import { isCurrency } from "./pricing/money.ts";
import { SetupError } from "./setup-error.ts";

/** Settings as a merchant wrote them -> a complete config; every default is here.
 *  @param file names the source in messages  @param text of that file, for the lines of faults
 *  @throws SetupError that names each unknown or wrong setting */
export function checkSettings(settings: unknown, file: string, text = ""): Config {
  /** Each begins with the name of its setting. */
  const faults: string[] = [];
  const root = section(settings, "", [...Object.keys(defaults), "origin"], faults);
  const locales = section(root.locales, "locales", ["default", "others"], faults);
  const cart = section(root.cart, "cart", ["maxLines", "maxQuantity", "cookieDays"], faults);
  const search = section(root.search, "search", ["synonyms", "typoTolerance"], faults);
  const checkout = section(root.checkout, "checkout", ["handoffUrl"], faults);
  const compat = section(compatOf(root.compat), "compat", ["forms", "sectionClass", "script"], faults);
  const images = section(root.images, "images", ["cacheMegabytes"], faults);
  const rendering = section(root.rendering, "rendering", Object.keys(defaults.rendering), faults);
  const read = <T>(
    value: unknown,
    name: string,
    fallback: T,
    isRight: (value: unknown) => boolean,
    expected: string,
  ): T => {
    if (value === undefined) return fallback;
    if (isRight(value)) return value as T;
    faults.push(`${name} must be ${expected}`);
    return fallback;
  };
  const whole = (value: unknown, name: string, fallback: number, max: number): number =>
    read(
      value,
      name,
      fallback,
      (one) => Number.isInteger(one) && Number(one) >= 1 && Number(one) <= max,
      `a whole number from 1 to ${max}`,
    );

  const origin = read<string | undefined>(
    root.origin,
    "origin",
    undefined,
    isOrigin,
    'an address like "https://shop.example", without a path',
  );
  const handoffUrl = read<string | undefined>(
    checkout.handoffUrl,
    "checkout.handoffUrl",
    undefined,
    isHandoff,
    'an http(s) address that holds "{id}"',
  );
  const sectionClass = read<string | undefined>(
    compat.sectionClass,
    "compat.sectionClass",
    undefined,
    isClass,
    "a class name",
  );
  const config: Config = {
    name: read(root.name, "name", defaults.name, isText, "a text"),
    currency: read(
      root.currency,
      "currency",
      defaults.currency,
      (one) => isText(one) && isCurrency(String(one)),
      'an ISO 4217 code like "USD"',
    ),
    locales: {
      default: read(
        locales.default,
        "locales.default",
        defaults.locales.default,
        isLocale,
        'a language like "en" or "pt-BR"',
      ),
      others: read(
        locales.others,
        "locales.others",
        [],
        (one) => isList(one, isLocale),
        'a list of languages like ["fr", "ja"]',
      ),
    },
    timezone: read(root.timezone, "timezone", defaults.timezone, isTimezone, 'a time zone like "Europe/Berlin"'),
    ...(origin === undefined ? {} : { origin: new URL(origin).origin }),
    trustProxy: read(
      root.trustProxy,
      "trustProxy",
      false,
      (one) => typeof one === "boolean" || isList(one, isAddress),
      "true, false or a list of IP addresses",
    ),
    cart: {
      maxLines: whole(cart.maxLines, "cart.maxLines", defaults.cart.maxLines, 1_000),
      maxQuantity: whole(cart.maxQuantity, "cart.maxQuantity", defaults.cart.maxQuantity, 1_000_000),
      cookieDays: whole(cart.cookieDays, "cart.cookieDays", defaults.cart.cookieDays, 400),
    },
    search: {
      synonyms: read(
        search.synonyms,
        "search.synonyms",
        [],
        (one) => isList(one, (group) => isList(group, isText)),
        'a list of lists of words like [["sofa", "couch"]]',
      ),
      typoTolerance: read(
        search.typoTolerance,
        "search.typoTolerance",
        true,
        (one) => typeof one === "boolean",
        "true or false",
      ),
    },
    checkout: handoffUrl === undefined ? {} : { handoffUrl },
    compat: {
      forms: read(compat.forms, "compat.forms", false, (one) => typeof one === "boolean", "true or false"),
      script: read(compat.script, "compat.script", false, (one) => typeof one === "boolean", "true or false"),
      ...(sectionClass === undefined ? {} : { sectionClass }),
    },
    rendering: {
      sectionSteps: whole(rendering.sectionSteps, "rendering.sectionSteps", defaults.rendering.sectionSteps, maxSteps),
      pageSteps: whole(rendering.pageSteps, "rendering.pageSteps", defaults.rendering.pageSteps, maxSteps),
      sectionTime: whole(rendering.sectionTime, "rendering.sectionTime", defaults.rendering.sectionTime, maxTime),
      pageTime: whole(rendering.pageTime, "rendering.pageTime", defaults.rendering.pageTime, maxTime),
    },
    images: {
      cacheMegabytes: whole(images.cacheMegabytes, "images.cacheMegabytes", defaults.images.cacheMegabytes, 1_000_000),
    },
    menus: Object.fromEntries(
      Object.entries(section(root.menus, "menus", undefined, faults)).map(([handle, links]) => [
        handle,
        readLinks(links, `menus.${handle}`, faults),
      ]),
    ),
  };
  if (config.locales.others.includes(config.locales.default))
    faults.push("locales.others must not hold the default language");
  if (faults.length === 0) return config;
  const lines = faults.map((fault) => `${placeOf(fault, file, text)}: ${fault}.`);
  throw new SetupError(`${lines.join("\n")} Correct the setting and start again.`);
}

/** Steps and milliseconds that a merchant may set at most. */
const maxSteps = 1_000_000_000;
const maxTime = 60_000;

const defaults: Config = {
  name: "My shop",
  currency: "USD",
  locales: { default: "en", others: [] },
  timezone: "UTC",
  trustProxy: false,
  cart: { maxLines: 250, maxQuantity: 9_999, cookieDays: 30 },
  search: { synonyms: [], typoTolerance: true },
  checkout: {},
  compat: { forms: false, script: false },
  images: { cacheMegabytes: 512 },
  rendering: { sectionSteps: 500_000, pageSteps: 2_000_000, sectionTime: 2_000, pageTime: 5_000 },
  menus: {},
};

/** "vitrine.config.ts:4" */
function placeOf(fault: string, file: string, text: string): string {
  const [name = ""] = fault.split(" ");
  const line = settingLine(text, name);
  return line === undefined ? file : `${file}:${line}`;
}

/** `compat: true` is all that a theme of Shopify's kind needs, `false` nothing of it. */
function compatOf(value: unknown): unknown {
  if (value === true) return { forms: true, script: true, sectionClass: "shopify-section" };
  return value === false ? {} : value;
}

function section(
  value: unknown,
  name: string,
  known: readonly string[] | undefined,
  faults: string[],
): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    faults.push(name === "" ? "the settings must be an object" : `${name} must be an object`);
    return {};
  }
  for (const key of Object.keys(value)) {
    const full = name === "" ? key : `${name}.${key}`;
    if (known !== undefined && !known.includes(key))
      faults.push(`${full} is not a setting (known: ${known.join(", ")})`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function readLinks(value: unknown, name: string, faults: string[]): readonly MenuLink[] {
  if (!Array.isArray(value)) {
    faults.push(`${name} must be a list of links { title, url }`);
    return [];
  }
  return value.map((item: unknown, index): MenuLink => {
    const at = `${name}[${index}]`;
    const link = section(item, at, ["title", "url", "links", "translations"], faults);
    const translations = section(link.translations, `${at}.translations`, undefined, faults);
    if (!isText(link.title)) faults.push(`${at}.title must be a text`);
    if (!isText(link.url) || !/^(\/(?!\/)|https?:\/\/)/.test(String(link.url)))
      faults.push(`${at}.url must be a path or an http(s) address`);
    if (!Object.values(translations).every(isText)) faults.push(`${at}.translations must map languages to texts`);
    return {
      title: String(link.title),
      url: String(link.url),
      links: link.links === undefined ? [] : readLinks(link.links, `${at}.links`, faults),
      translations: translations as Readonly<Record<string, string>>,
    };
  });
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isLocale(value: unknown): boolean {
  return typeof value === "string" && /^[a-z]{2,3}(-[A-Za-z]{4})?(-[A-Z]{2})?$/.test(value);
}

function isTimezone(value: unknown): boolean {
  if (!isText(value)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: String(value) });
    return true;
  } catch {
    return false;
  }
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && isIP(value) !== 0;
}

function isOrigin(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && (value === url.origin || value === `${url.origin}/`);
}

function isHandoff(value: unknown): boolean {
  return typeof value === "string" && value.includes("{id}") && /^https?:\/\//.test(value) && URL.canParse(value);
}

function isClass(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z_][\w-]*( [A-Za-z_][\w-]*)*$/.test(value);
}

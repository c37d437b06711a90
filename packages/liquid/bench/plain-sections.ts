// Benchmarks this engine against LiquidJS with the sections of a theme. Both engines get the same data: products, a
// cart, and the default settings of the section. Both use the same functions for shop filters such as `money`. A
// section counts only if both engines print the same. The engines run alternately, and only the CPU time of the thread
// counts.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Liquid, Tag as LiquidJsTag, type TagToken, type TopLevelToken } from "liquidjs";
import type { Snippet } from "../src/context.ts";
import { createEngine } from "../src/engine.ts";
import type { Tag } from "../src/parse/parser.ts";

/** Duration in milliseconds of one measurement. The engines are measured alternately. */
const TURN_MS = 30;
/** Number of measurements per engine and section. The median counts. */
const TURNS = 5;

type PlainFilter = (value: unknown, ...args: unknown[]) => unknown;
const toText = (value: unknown): string => String(value ?? "");
/** Simple replacements for the filters of a shop, because their cost is not measured here. */
const shopFilters: Readonly<Record<string, PlainFilter>> = {
  t: toText,
  money: (cents) => `$${(Number(cents) / 100).toFixed(2)}`,
  asset_url: (name) => `/assets/${toText(name)}`,
  image_url: (image) => `/images/${toText(image)}`,
  link_to: (label, url) => `<a href="${toText(url)}">${toText(label)}</a>`,
  handle: (value) => toText(value).toLowerCase().replace(/\W+/g, "-"),
  json: (value) => JSON.stringify(value ?? null),
};

/** Matches blocks that contain data instead of Liquid. */
const dataBlocks = /\{%-?\s*(schema|stylesheet|javascript|doc)\s*-?%\}[\s\S]*?\{%-?\s*end\1\s*-?%\}/g;

interface Theme {
  readonly sections: ReadonlyMap<string, string>;
  readonly snippets: ReadonlyMap<string, string>;
}

function readTheme(folder: string): Theme {
  const readFolder = (part: string): Map<string, string> =>
    new Map(
      (existsSync(join(folder, part)) ? readdirSync(join(folder, part)) : [])
        .filter((file) => file.endsWith(".liquid"))
        .map((file) => [basename(file, ".liquid"), readFileSync(join(folder, part, file), "utf8")]),
    );
  return { sections: readFolder("sections"), snippets: readFolder("snippets") };
}

/** Returns the default settings of a section's schema, by id. */
function settingsOf(source: string): Record<string, unknown> {
  const [, schema = "{}"] = /\{%-?\s*schema\s*-?%\}([\s\S]*?)\{%-?\s*endschema/.exec(source) ?? [];
  const { settings = [] } = JSON.parse(schema) as { settings?: { id?: string; default?: unknown }[] };
  return Object.fromEntries(
    settings.flatMap(({ id, default: value }) => (id === undefined ? [] : [[id, value ?? null]])),
  );
}

const products = Array.from({ length: 24 }, (_, index) => ({
  id: index,
  title: `Coat "${index}" & hat`,
  handle: `coat-${index}`,
  url: `/products/coat-${index}`,
  price: 1_250 * index,
  compare_at_price: index % 3 === 0 ? 2_000 * index : null,
  available: index % 4 !== 0,
  vendor: "Acme",
  type: "Coats",
  tags: ["wool", "warm", "new"],
  description: "<p>A coat for <em>every</em> day.</p>",
  featured_media: { src: `coat-${index}.jpg`, alt: "A coat", aspect_ratio: 1.25, width: 1_000, height: 800 },
  options: ["Size"],
  variants: ["S", "M", "L"].map((title, place) => ({ id: index * 10 + place, title, price: 1_250, available: true })),
}));
const items = products
  .slice(0, 3)
  .map((product) => ({ ...product, product, quantity: 2, key: `k${product.id}`, line_price: 2_500 }));
const globals = {
  product: products[1],
  collection: {
    title: "Coats",
    handle: "coats",
    url: "/collections/coats",
    products,
    products_count: 24,
    description: "All",
  },
  cart: { items, item_count: 6, total_price: 7_500, currency: { iso_code: "USD" } },
  search: { terms: "coat", results: products, results_count: 24, performed: true },
  predictive_search: {
    terms: "coat",
    performed: true,
    resources: { products: products.slice(0, 4), pages: [], articles: [], collections: [], queries: [] },
  },
  routes: { root_url: "/", cart_url: "/cart", search_url: "/search" },
  shop: { name: "Shop", currency: "USD" },
  request: { locale: { iso_code: "en" }, page_type: "product" },
  localization: { available_countries: [], available_languages: [] },
};

type Render = () => string;

function createOurRenderer({ snippets }: Theme): (source: string, data: object) => Render {
  const engine = createEngine({
    tags: {
      style: bodyTag,
      form: bodyTag,
      paginate: bodyTag,
      section: emptyTag,
      sections: emptyTag,
      content_for: emptyTag,
      layout: emptyTag,
    },
    filters: shopFilters,
  });
  const read = new Map<string, Snippet>();
  const partial = (name: string): Snippet => {
    const snippet = read.get(name) ?? engine.parse((snippets.get(name) ?? "").replace(dataBlocks, ""), name);
    read.set(name, snippet);
    return snippet;
  };
  return (source, data) => {
    const template = engine.parse(source);
    const variables = { ...data };
    const options = { partial, onError: () => "" };
    return () => template.render(variables, options);
  };
}

const bodyTag: Tag = (tag, parser) => {
  const { body } = parser.body(tag);
  return { at: tag.begin, isBlank: false, render: (context) => body.render(context) };
};
const emptyTag: Tag = (tag) => ({ at: tag.begin, isBlank: false, render: () => {} });

function createLiquidJsRenderer({ snippets }: Theme): (source: string, data: object) => Render {
  const templates = Object.fromEntries([...snippets].map(([name, source]) => [name, source.replace(dataBlocks, "")]));
  const liquid = new Liquid({ templates, strictFilters: false, cache: true, jsTruthy: false });
  for (const name of ["style", "form", "paginate"]) liquid.registerTag(name, PassingTag);
  for (const name of ["section", "sections", "content_for", "layout"]) liquid.registerTag(name, EmptyTag);
  for (const [name, filter] of Object.entries(shopFilters)) liquid.registerFilter(name, filter);
  return (source, data) => {
    const template = liquid.parse(source);
    return () => liquid.renderSync(template, data) as string;
  };
}

class PassingTag extends LiquidJsTag {
  readonly #body: ReturnType<Liquid["parser"]["parseTokens"]> = [];

  constructor(token: TagToken, remainingTokens: TopLevelToken[], liquid: Liquid, parser: Liquid["parser"]) {
    super(token, remainingTokens, liquid);
    while (remainingTokens.length > 0) {
      const nextToken = remainingTokens.shift() as TopLevelToken & { readonly name?: string };
      if (nextToken.name === `end${token.name}`) return;
      this.#body.push(parser.parseToken(nextToken, remainingTokens));
    }
  }

  override *render(...[context, emitter]: Parameters<LiquidJsTag["render"]>): Generator<unknown, void, unknown> {
    yield this.liquid.renderer.renderTemplates(this.#body, context, emitter);
  }
}

class EmptyTag extends LiquidJsTag {
  override render(): void {}
}

/** Measures the speed in renders per second of CPU time. */
function rateOf(render: Render): number {
  const start = process.threadCpuUsage();
  const end = performance.now() + TURN_MS;
  let count = 0;
  for (; performance.now() < end; count += 1) render();
  const { user, system } = process.threadCpuUsage(start);
  return count / ((user + system) / 1_000_000);
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0;
}

/** Render times of the sections of a theme. */
export interface PlainTimes {
  /** Number of measured sections, and number of sections skipped because the two outputs differ. */
  readonly sections: number;
  readonly otherSections: number;
  /** Total time of this engine for one render of every section, in microseconds. */
  readonly ours: number;
  readonly theirs: number;
  /** Median and minimum of the speedup: the time of LiquidJS divided by the time of this engine, per section. */
  readonly median: number;
  readonly minRatio: number;
}

export function timePlainSections(folder: string): PlainTimes {
  const theme = readTheme(folder);
  const renderers = { ours: createOurRenderer(theme), theirs: createLiquidJsRenderer(theme) };
  const ratios: number[] = [];
  const times = { ours: 0, theirs: 0 };
  let otherSections = 0;
  for (const [id, source] of theme.sections) {
    const liquidSource = source.replace(dataBlocks, "");
    try {
      const data = { ...globals, section: { id, settings: settingsOf(source), blocks: [] }, settings: {} };
      const [renderOurs, renderTheirs] = [renderers.ours(liquidSource, data), renderers.theirs(liquidSource, data)];
      if (removeWhitespace(renderOurs()) !== removeWhitespace(renderTheirs())) throw new Error("the outputs differ");
      const turnRates = { ours: [] as number[], theirs: [] as number[] };
      for (let turn = 0; turn < TURNS; turn += 1) {
        turnRates.ours.push(rateOf(renderOurs));
        turnRates.theirs.push(rateOf(renderTheirs));
      }
      times.ours += 1e6 / median(turnRates.ours);
      times.theirs += 1e6 / median(turnRates.theirs);
      ratios.push(median(turnRates.ours) / median(turnRates.theirs));
    } catch {
      otherSections += 1;
    }
  }
  return { sections: ratios.length, otherSections, ...times, median: median(ratios), minRatio: Math.min(...ratios) };
}

/**
 * Removes all whitespace before outputs are compared. This engine omits the whitespace of blocks that print nothing
 * else, like Ruby's Liquid. LiquidJS prints it.
 */
function removeWhitespace(html: string): string {
  return html.replace(/\s+/g, "");
}

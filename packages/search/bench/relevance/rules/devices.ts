import type { Item } from "./draw.ts";

export type Trait =
  | "brand"
  | "colour"
  | "diagonal"
  | "memory"
  | "speed"
  | "family"
  | "length"
  | "plugs"
  | "model"
  | "radio";

/** A product of the electronics catalog, described by attributes. */
export interface Device extends Item {
  readonly kind: string;
  readonly traits: ReadonlyMap<Trait, string>;
}

type Source = Readonly<Record<string, unknown>>;

/** Reads a product.  @returns undefined if the attributes do not identify its kind */
export function readDevice(source: Source): Device | undefined {
  const title = (textOf(source, "title") ?? textOf(source, "name") ?? "").trim();
  const kind = kindOf(source, title);
  if (kind === undefined) return undefined;
  const traits = new Map<Trait, string>();
  for (const trait of traitsOfKind[kind] ?? []) {
    const value = readTrait[trait](source, title);
    if (value !== undefined && value !== "") traits.set(trait, value);
  }
  return { id: String(source.id), title, kind, traits };
}

const traitsOfKind: Readonly<Record<string, readonly Trait[]>> = {
  cable: ["plugs", "length", "colour", "brand"],
  toner: ["colour", "brand", "model"],
  ink: ["colour", "brand", "model"],
  notebook: ["brand", "diagonal", "memory", "colour", "family"],
  monitor: ["brand", "diagonal", "colour"],
  tv: ["brand", "diagonal", "colour"],
  headphones: ["brand", "colour", "radio"],
  processor: ["family", "speed"],
};

const notebooks = ["Notebook", "Netbook", "Chromebook", "Hybrid (2-in-1)", "Mobile workstation"];

function kindOf(source: Source, title: string): string | undefined {
  const type = textOf(source, "attr_t_product_type") ?? "";
  if (notebooks.includes(type)) return "notebook";
  if (type === "Headphones" || type === "Headset") return "headphones";
  if (type === "Processor") return "processor";
  if (source.attr_n_cable_length !== undefined) return /\b(cable|cord|patch)/i.test(title) ? "cable" : undefined;
  if (textOf(source, "attr_t_printing_colours") !== undefined) {
    if (/printer|ppm|multifunctional|\bA4\b/i.test(title) && !/drum/i.test(title)) return undefined;
    const technology = textOf(source, "attr_t_print_technology") ?? title;
    if (/laser|toner/i.test(technology) && !/drum/i.test(title)) return "toner";
    return /ink/i.test(technology) ? "ink" : undefined;
  }
  if (textOf(source, "attr_t_panel_mounting_interface") === undefined || source.attr_n_display_diagonal === undefined)
    return undefined;
  return /\bTV\b|television/i.test(title) ? "tv" : "monitor";
}

/** Functions that return a product's value of each trait, in the words that shoppers use. */
const readTrait: Readonly<Record<Trait, (source: Source, title: string) => string | undefined>> = {
  brand: (source) => textOf(source, "supplier")?.toLowerCase(),
  colour: (source) => {
    const names = ["attr_t_cable_colour", "attr_t_printing_colours", "attr_t_product_colour"];
    const colour = names.map((name) => textOf(source, name)).find((value) => value !== undefined);
    // Shoppers do not type several colors.
    return colour === undefined || colour.includes(",") ? undefined : colour.toLowerCase();
  },
  diagonal: (source) => numberOf(source, "attr_n_display_diagonal"),
  memory: (source) => numberOf(source, "attr_n_internal_memory"),
  speed: (source) => numberOf(source, "attr_n_processor_frequency"),
  family: (source) => textOf(source, "attr_t_processor_family")?.toLowerCase().replace(/-.*/, ""),
  length: (source) => numberOf(source, "attr_n_cable_length"),
  plugs: (source, title) => {
    const ends = [textOf(source, "attr_t_connector_1"), textOf(source, "attr_t_connector_2")].join(" ");
    return (
      plugNames.find(([pattern]) => pattern.test(ends))?.[1] ?? plugNames.find(([pattern]) => pattern.test(title))?.[1]
    );
  },
  model: (source) => {
    const models = textOf(source, "attr_t_compatibility")
      ?.toLowerCase()
      .match(/\b(?=\w*\d)(?=\w*[a-z])\w{4,}\b/g);
    return models === undefined || models === null ? undefined : models.slice(0, 12).join(" ");
  },
  radio: (source) => {
    const radio = textOf(source, "attr_t_connectivity_technology")?.toLowerCase();
    return radio === "wired" || radio === "wireless" ? radio : undefined;
  },
};

const plugNames: readonly (readonly [RegExp, string])[] = [
  [/RJ-?45|cat\.? ?[567]|patch|ethernet|network/i, "network"],
  [/hdmi/i, "hdmi"],
  [/displayport/i, "displayport"],
  [/usb/i, "usb"],
  [/vga|HD15|D-Sub/i, "vga"],
  [/dvi/i, "dvi"],
  [/\bLC\b|\bSC\b|fib(er|re)/i, "fiber"],
  [/sata/i, "sata"],
  [/C1[34]|nema|power/i, "power"],
  [/3\.5 ?mm|rca|audio/i, "audio"],
];

function textOf(source: Source, name: string): string | undefined {
  const value = source[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function numberOf(source: Source, name: string): string | undefined {
  const value = source[name];
  return typeof value === "number" && value > 0 ? String(value) : undefined;
}

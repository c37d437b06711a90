import type { PricedCart } from "../cart/priced-cart.ts";
import type { Customer } from "../catalog/customer.ts";
import { Problem } from "../problem.ts";
import { parseSameStorePath } from "../security/same-store-path.ts";
import type { Shop } from "../shop.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Body } from "./body.ts";
import { headerOf, parseTarget, type StoreRequest } from "./request.ts";

/** Which sections a caller asked for, and in whose context they render. */
export interface AskedSections {
  /** At most five. */
  readonly ids: readonly string[];
  readonly locale: string;
  /** Path and query without locale prefix. */
  readonly target: string;
}

/** What a theme's render looks at beside the catalogue. */
export interface RenderSources {
  readonly snapshot: Snapshot;
  readonly cart: () => Promise<PricedCart>;
  readonly customer: Customer | undefined;
}

/** Reads the section parameters from the query and the body alike. Unknown shapes are passed over.
 *  @throws Problem `invalid_sections_url` @see spec 4.8 */
export function parseSections(request: StoreRequest, { config }: Pick<Shop, "config">, body: Body = {}): AskedSections {
  const context = parseTarget(contextPath(request, body), config.locales);
  return { ids: sectionIds(request, body), locale: context.locale, target: context.path + context.search };
}

/** Renders the sections one after the other: map of id to HTML, null for one that failed or is unknown; undefined where none was asked for. */
export async function renderSections(
  shop: Pick<Shop, "theme" | "log">,
  request: StoreRequest,
  asked: AskedSections,
  sources: RenderSources,
): Promise<Readonly<Record<string, string | null>> | undefined> {
  if (asked.ids.length === 0) return undefined;
  const rendered: [string, string | null][] = [];
  for (const id of asked.ids) rendered.push([id, await renderOne(shop, request, asked, sources, id)]);
  // From entries, so that an id like "__proto__" is a name like any other.
  return Object.fromEntries(rendered);
}

const MAX_SECTIONS = 5;

async function renderOne(
  shop: Pick<Shop, "theme" | "log">,
  request: StoreRequest,
  { locale, target }: AskedSections,
  { snapshot, cart, customer }: RenderSources,
  id: string,
): Promise<string | null> {
  try {
    const { catalog, index } = snapshot;
    const { origin, now } = request;
    const base = { locale, target, origin, catalog, index, cart, now };
    const { html } = await shop.theme.renderSection(id, { ...base, ...(customer === undefined ? {} : { customer }) });
    return html;
  } catch (error) {
    if (!(error instanceof Problem)) shop.log.warn({ error }, "a bundled section failed");
    return null;
  }
}

function sectionIds({ query }: StoreRequest, body: Body): readonly string[] {
  const ids = [
    ...split(query.get("sections")),
    ...query.getAll("sections[]"),
    ...texts(body.sections),
    ...query.getAll("section_ids").flatMap(split),
    ...query.getAll("section_ids[]"),
    ...texts(body.section_ids),
    ...texts(body["section_ids[]"]),
    ...split(query.get("section_id")),
    ...(typeof body.section_id === "string" ? [body.section_id] : []),
  ];
  const known = new Set<string>();
  for (const id of ids) {
    const trimmed = id.trim();
    if (trimmed !== "") known.add(trimmed);
    if (known.size === MAX_SECTIONS) break;
  }
  return [...known];
}

function split(list: string | null): readonly string[] {
  return list === null ? [] : list.split(",");
}

function texts(value: unknown): readonly string[] {
  if (typeof value === "string") return split(value);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** `sections_url` where it is given, else the referring page, else the front page. */
function contextPath(request: StoreRequest, body: Body): string {
  const given: unknown = request.query.get("sections_url") ?? body.sections_url;
  if (given !== undefined) {
    const path = typeof given === "string" ? parseSameStorePath(given) : undefined;
    if (path !== undefined) return path;
    throw new Problem("invalid_sections_url", "sections_url must be a path of this store that begins with one slash.", [
      { field: "sections_url", rule: "same_store_path", message: 'Give a path of this store, as in "/cart".' },
    ]);
  }
  const referer = URL.parse(headerOf(request, "referer") ?? "");
  if (referer === null || referer.host !== URL.parse(request.origin)?.host) return "/";
  return parseSameStorePath(referer.pathname + referer.search) ?? "/";
}

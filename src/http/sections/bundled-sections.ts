import { Problem } from "../../problem.ts";
import { parseSameStorePath } from "../../security/same-store-path.ts";
import type { Shop } from "../../shop.ts";
import type { RenderRequest } from "../../theme/theme.ts";
import type { Body } from "../bodies/body.ts";
import { toSafeJson } from "../json/inert-json.ts";
import { encodeUtf8 } from "../wire/byte-string.ts";
import { parseReferrerPath, readSameStoreReferrer } from "../wire/referrer-path.ts";
import { parseTarget, type StoreRequest } from "../wire/request.ts";
import { parseSectionIds } from "./section-ids.ts";

/** Theme sections to include in the response, and the page for which they are rendered. */
export interface RequestedSections {
  /** Section ids, at most five. */
  readonly ids: readonly string[];
  readonly locale: string;
  /** Path and query of the page for which sections are rendered, without language prefix. */
  readonly target: string;
}

/** HTML of each section by id; null if the section does not exist or failed to render. */
export type RenderedSections = Readonly<Record<string, string | null>>;

/** Response field `sections`; undefined if no sections were requested. */
export interface SectionsField {
  readonly sections?: RenderedSections;
}

/**
 * Serializes the field `sections` with a leading comma; "" if undefined. Each section is converted to UTF-8 separately,
 * so that the joined string needs only one byte for each character.
 */
export function formatSectionsMember({ sections }: SectionsField): string {
  if (sections === undefined) return "";
  const members = Object.entries(sections).map(
    ([id, html]) => `${encodeUtf8(toSafeJson(id))}:${encodeUtf8(toSafeJson(html))}`,
  );
  return `,"sections":{${members.join(",")}}`;
}

/**
 * Parses the section ids and `sections_url` in the query or the body.  @throws Problem `invalid_sections_url`  @see
 * spec 4.8
 */
export function parseSections(
  request: StoreRequest,
  { config }: Pick<Shop, "config">,
  body: Body = {},
): RequestedSections {
  const context = parseTarget(parseContextPath(request, body), config.locales);
  return { ids: parseSectionIds(request.query, body), locale: context.locale, target: context.path + context.search };
}

/**
 * Returns the page that sent the request, from the `Referer` header, because its template may contain the requested
 * section. The object is empty if the header names no page of this store.
 */
export function readRequestingPage(
  { config }: Pick<Shop, "config">,
  request: StoreRequest,
): Pick<RenderRequest, "requestingPage"> {
  const page = readSameStoreReferrer(request);
  if (page === undefined) return {};
  const { path, search } = parseTarget(page, config.locales);
  return { requestingPage: path + search };
}

/** Renders theme sections one after another.  @see spec 4.8 */
export async function renderSections(
  shop: Pick<Shop, "theme" | "process">,
  { ids, locale, target }: RequestedSections,
  sources: Omit<RenderRequest, "locale" | "target">,
): Promise<RenderedSections> {
  const renderedSections: [string, string | null][] = [];
  for (const id of ids) {
    let html: string | null = null;
    try {
      html = (await shop.theme.renderSection(id, { ...sources, locale, target })).html;
    } catch (error) {
      if (!(error instanceof Problem)) shop.process.log.warn({ error }, "a bundled section failed");
    }
    renderedSections.push([id, html]);
  }
  // Unlike an assignment, `fromEntries` is safe for an id like "__proto__".
  return Object.fromEntries(renderedSections);
}

/**
 * Returns the path of the page for which sections are rendered: `sections_url`, else the referring page, else the home
 * page.
 */
function parseContextPath(request: StoreRequest, body: Body): string {
  const url: unknown = request.query.get("sections_url") ?? body.sections_url ?? undefined;
  if (url !== undefined) {
    const path = typeof url === "string" ? parseSameStorePath(url) : undefined;
    if (path !== undefined) return path;
    throw new Problem("invalid_sections_url", "sections_url must be a path of this store that begins with one slash.", [
      { field: "sections_url", rule: "same_store_path", message: 'Give a path of this store, as in "/cart".' },
    ]);
  }
  return parseReferrerPath(request);
}

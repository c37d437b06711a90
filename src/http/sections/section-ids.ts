import type { Body } from "../bodies/body.ts";

/**
 * Returns the section ids in a query and a body, without duplicates and at most five. Invalid values are ignored.
 * @see spec 4.8
 */
export function parseSectionIds(query: URLSearchParams, body: Body = {}): readonly string[] {
  // Fast path: most writes have no query string.
  const hasQuery = query.size > 0;
  const ids = [
    ...(hasQuery ? [...splitList(query.get("sections")), ...readListValues(query, "sections")] : []),
    ...listStrings(body.sections),
    ...(hasQuery ? [...query.getAll("section_ids").flatMap(splitList), ...readListValues(query, "section_ids")] : []),
    ...listStrings(body.section_ids),
    ...listStrings(body["section_ids[]"]),
    ...(hasQuery ? splitList(query.get("section_id")) : []),
    ...(typeof body.section_id === "string" ? [body.section_id] : []),
  ];
  const uniqueIds = new Set<string>();
  for (const id of ids) {
    if (id.trim() !== "") uniqueIds.add(id.trim());
    if (uniqueIds.size === MAX_SECTIONS) break;
  }
  return [...uniqueIds];
}

/** Reports whether a query requests several theme sections as JSON. */
export function requestsSectionMap(query: URLSearchParams): boolean {
  return query.has("sections") || readListValues(query, "sections").length > 0;
}

/** Reports whether a query requests theme sections instead of the page. */
export function requestsSections(query: URLSearchParams): boolean {
  return query.keys().some(isSectionParameter);
}

/** Reports whether a query parameter requests theme sections. Such parameters are not part of the page's own URL. */
export function isSectionParameter(name: string): boolean {
  return /^(?:section_id|sections(?:\[\d{0,3}\])?)$/.test(name);
}

const MAX_SECTIONS = 5;

/**
 * Returns the values of a list parameter in query order: `sections[]=a&sections[]=b` or `sections[0]=a&sections[1]=b`.
 */
function readListValues(query: URLSearchParams, name: string): readonly string[] {
  return [...query]
    .filter(([key]) => key.startsWith(`${name}[`) && /^\[\d{0,3}\]$/.test(key.slice(name.length)))
    .map(([, id]) => id);
}

function splitList(list: string | null): readonly string[] {
  return list === null ? [] : list.split(",");
}

function listStrings(value: unknown): readonly string[] {
  if (typeof value === "string") return splitList(value);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

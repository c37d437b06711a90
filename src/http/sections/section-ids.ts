import type { Body } from "../bodies/body.ts";

/** The section ids that a query and a body ask for, each once, at most five. Shapes that are none are passed over. @see spec 4.8 */
export function sectionIds(query: URLSearchParams, body: Body = {}): readonly string[] {
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
    if (id.trim() !== "") known.add(id.trim());
    if (known.size === MAX_SECTIONS) break;
  }
  return [...known];
}

const MAX_SECTIONS = 5;

function split(list: string | null): readonly string[] {
  return list === null ? [] : list.split(",");
}

function texts(value: unknown): readonly string[] {
  if (typeof value === "string") return split(value);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

import type { SearchDocument } from "../search-index.ts";

/** Type, then availability, then popularity in one number that ascends as documents get worse. */
export function staticRank({ type = 0, available = true, popularity = 0 }: SearchDocument): number {
  const units = Number.isFinite(popularity) ? Math.round(Math.min(1, Math.max(0, popularity)) * 0xffff) : 0;
  return ((type & 15) << 17) | ((available ? 0 : 1) << 16) | (0xffff - units);
}

/**
 * Returns the bytes of all typed arrays in plain data. An array that occurs twice counts once. Of a buffer, only the
 * ranges of its arrays count.
 */
export function bytesIn(data: object): number {
  let bytes = 0;
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (value instanceof Map || value instanceof Set || Array.isArray(value)) for (const one of value) visit(one);
    else for (const one of Object.values(value)) visit(one);
  };
  visit(data);
  return bytes;
}

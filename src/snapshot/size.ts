/**
 * Returns the total bytes of all typed arrays in plain data. An array that occurs twice counts once. Only the used
 * ranges of a buffer count.
 */
export function countBytes(data: object): number {
  let bytes = 0;
  const visitedObjects = new Set<object>();
  const visitValue = (value: unknown): void => {
    if (typeof value !== "object" || value === null || visitedObjects.has(value)) return;
    visitedObjects.add(value);
    if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (value instanceof Map || value instanceof Set || Array.isArray(value))
      for (const item of value) visitValue(item);
    else for (const item of Object.values(value)) visitValue(item);
  };
  visitValue(data);
  return bytes;
}

/**
 * Parses a header whose values have weights, such as "de-AT,de;q=0.9" in `Accept-Language`. The default weight is 1.
 * @returns pairs of value and weight, in lower case and in the order of the header
 */
export function parseWeights(header: string): readonly (readonly [value: string, weight: number])[] {
  return header
    .toLowerCase()
    .split(",")
    .map((part) => {
      const [value = "", ...parameters] = part.split(";").map((text) => text.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return [value, weight === undefined ? 1 : Number(weight) || 0] as const;
    });
}

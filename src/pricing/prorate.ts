/**
 * Splits `total` in proportion to the weights by the largest remainder method. Ties go to the earlier weight.
 * @param total minor units, from 0 to the sum of the weights
 * @param weights minor units, at least 0
 * @returns one share per weight, at most the weight; the shares add up to `total`
 */
export function prorate(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (total <= 0 || sum <= 0) return weights.map(() => 0);
  if (total >= sum) return weights;
  // BigInt, because total * weight exceeds 2^53 for large carts.
  const products = weights.map((weight) => BigInt(total) * BigInt(weight));
  const shares = products.map((product) => Number(product / BigInt(sum)));
  const remainders = products.map((product) => Number(product % BigInt(sum)));
  let remainingUnits = total - shares.reduce((a, b) => a + b, 0);
  const sortedIndexes = remainders
    .map((_, index) => index)
    .sort((a, b) => (remainders[b] ?? 0) - (remainders[a] ?? 0) || a - b);
  for (const index of sortedIndexes) {
    if (remainingUnits === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    remainingUnits -= 1;
  }
  return shares;
}

/**
 * Returns `percent` of an amount, rounded half up. Exact for percentages with up to four decimals.
 * @param amount minor units, an integer of at least 0
 * @param percent 0 to 100
 */
export function computePercentage(amount: number, percent: number): number {
  const scaledPercent = BigInt(Math.round(percent * 10_000));
  return Number((BigInt(amount) * scaledPercent + 500_000n) / 1_000_000n);
}

import type { Kind } from "../catalog/catalog.ts";
import type { ReadValue } from "./formats/read-value.ts";

/** @param fallback kind of values that do not say  @returns a value for each, or what is wrong with it */
export type MergeRows = (values: readonly unknown[], fallback: Kind | undefined) => Promise<readonly MergedValue[]>;

export type MergedValue = { readonly value: unknown } | { readonly error: string };

/** Values completed at once. */
const MERGE_BATCH = 200;

/** Values in their order, each completed. */
export async function* merged(
  reads: AsyncGenerator<ReadValue>,
  merge: MergeRows,
  kind: Kind | undefined,
): AsyncGenerator<ReadValue> {
  let batch: ReadValue[] = [];
  async function* flush(): AsyncGenerator<ReadValue> {
    const right = batch.filter(({ error }) => error === undefined);
    const values = (
      await merge(
        right.map(({ value }) => value),
        kind,
      )
    ).values();
    for (const read of batch) yield read.error === undefined ? { ...read, ...values.next().value } : read;
    batch = [];
  }
  for await (const read of reads) {
    batch.push(read);
    if (batch.length === MERGE_BATCH) yield* flush();
  }
  yield* flush();
}

/** How much documents are bought. */
export interface Purchases {
  /** The type of the documents that can be. */
  readonly type: number;
  /** 0: too few bought it; at most 1: it is bought as much as any. */
  strengthOf(externalId: number): number;
}

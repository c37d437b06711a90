/** How many bytes of bodies that have begun and not ended are kept in memory. */
export interface BodyRoom {
  /** @param network that sends them  @returns whether there is room for so many more */
  take(network: string, bytes: number): boolean;
  giveBack(network: string, bytes: number): void;
}

/** @param most bytes in all  @param share of these, what one network may have */
export function createBodyRoom(most: number, share: number): BodyRoom {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take(network, bytes) {
      const own = (taken.get(network) ?? 0) + bytes;
      if (own > share || total + bytes > most) return false;
      taken.set(network, own);
      total += bytes;
      return true;
    },
    giveBack(network, bytes) {
      const own = (taken.get(network) ?? 0) - bytes;
      if (own > 0) taken.set(network, own);
      else taken.delete(network);
      total -= bytes;
    },
  };
}

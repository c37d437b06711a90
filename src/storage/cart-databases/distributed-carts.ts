import type { IdempotencyRecord } from "../../cart/writer/applied-write.ts";
import { hashFnv1a } from "../../runtime/hash.ts";
import { createCartStore, type StoredCarts } from "../cart-store.ts";
import { DatabaseUnavailableError } from "../database.ts";
import type { CartDatabase, CartDatabases } from "./open-cart-databases.ts";

/**
 * Distributes carts over several databases. The IDs of a cart begin with the name of its database, such as "_a_…". Carts
 * without a name are in the main database. If a database is unavailable, operations on its carts fail, and new carts are
 * created in the others.
 * @param mainStore store of the carts in the main database
 * @param serverId distinguishes the saves of this server from those of other servers
 */
export function createDistributedCarts(
  mainStore: StoredCarts,
  databases: CartDatabases,
  serverId: string,
): StoredCarts {
  const stores = new Map([...databases].map(([name, { database }]) => [name, createCartStore(database, serverId)]));
  const getStore = (cartId: string): StoredCarts => {
    const name = getDatabaseName(cartId);
    const store = name === undefined ? mainStore : stores.get(name);
    if (store === undefined)
      throw new DatabaseUnavailableError(`CART_DATABASE_URLS lacks the database "${name}", which has a cart`);
    return store;
  };
  const readRevisions = async (
    name: string | undefined,
    ids: readonly string[],
  ): ReturnType<StoredCarts["getRevisions"]> => {
    const unknownRevisions = new Map(ids.map((id) => [id, "unknown"] as const));
    if (name !== undefined && databases.get(name)?.isAvailable() !== true) return unknownRevisions;
    try {
      return await (name === undefined ? mainStore : (stores.get(name) ?? mainStore)).getRevisions(ids);
    } catch (error) {
      if (name === undefined || !(error instanceof DatabaseUnavailableError)) throw error;
      return unknownRevisions;
    }
  };
  return {
    find: async (id) => getStore(id).find(id),
    findStoredCart: async (id) => getStore(id).findStoredCart(id),
    // The ID may be any text from a URL, or a digest that looks as if it had a prefix, so an unknown name is no failure.
    findByCheckout: (checkoutId) =>
      (stores.get(getDatabaseName(checkoutId) ?? "") ?? mainStore).findByCheckout(checkoutId),
    async getRevisions(ids) {
      const groups = [...Map.groupBy(ids, getDatabaseName)];
      const revisions = await Promise.all(groups.map(([name, groupIds]) => readRevisions(name, groupIds)));
      return new Map(revisions.flatMap((part) => [...part]));
    },
    save: async (oldCart, newCart, write) => getStore(oldCart.id).save(oldCart, newCart, write),
    async findAppliedWrites(keys, cartId, now) {
      const cartStore = cartId === undefined ? undefined : getStore(cartId);
      // The first write of a visitor is stored in the visitor's database, also if it created no cart.
      const visitorStores = new Set(
        keys.map(({ visitor }) => stores.get(selectDatabase(databases, visitor)?.name ?? "")),
      );
      const readVisitorWrites = async (store: StoredCarts = mainStore): Promise<readonly IdempotencyRecord[]> => {
        try {
          return await store.findAppliedWrites(keys, undefined, now);
        } catch (error) {
          // The cart's own database has all writes to the cart.
          if (cartStore === undefined || !(error instanceof DatabaseUnavailableError)) throw error;
          return [];
        }
      };
      const records = await Promise.all([
        ...(cartStore === undefined ? [] : [cartStore.findAppliedWrites(keys, cartId, now)]),
        ...[...visitorStores].filter((store = mainStore) => store !== cartStore).map(readVisitorWrites),
      ]);
      return records.flat();
    },
    claimFirstCart: async (tokenHash, newId, now) => getStore(newId).claimFirstCart(tokenHash, newId, now),
    idPrefixes: {
      select(key) {
        const database = selectDatabase(databases, key);
        return database === undefined ? "" : formatIdPrefix(database.name);
      },
      getPrefix: (id) => DATABASE_PREFIX.exec(id)?.[0] ?? "",
    },
    getSeparateDatabase(cartId) {
      const name = getDatabaseName(cartId);
      return name === undefined ? undefined : databases.get(name)?.database;
    },
  };
}

/** Prefix of the IDs of a cart. IDs of carts in the main database start with a hexadecimal digit. */
const DATABASE_PREFIX = /^_([a-z0-9]{1,16})_/;

/** Returns the prefix of the IDs of a cart in a cart database. */
export function formatIdPrefix(databaseName: string): string {
  return `_${databaseName}_`;
}

/** Returns the name of a cart's database; undefined for the main database.  @param id ID of the cart or its checkout */
export function getDatabaseName(id: string): string | undefined {
  return DATABASE_PREFIX.exec(id)?.[1];
}

/**
 * Selects the database of a new cart by the hash of a key. If a database is unavailable, only its keys move to others
 * (rendezvous hashing).
 * @returns undefined if no database accepts new carts
 */
function selectDatabase(databases: CartDatabases, key: string): CartDatabase | undefined {
  const candidates = databases
    .values()
    .filter(({ acceptsNewCarts }) => acceptsNewCarts)
    .toArray();
  const availableCandidates = candidates.filter((one) => one.isAvailable());
  return (availableCandidates.length > 0 ? availableCandidates : candidates)
    .map((candidate) => ({ candidate, hash: hashFnv1a(`${candidate.name} ${key}`) }))
    .sort((a, b) => b.hash - a.hash)[0]?.candidate;
}

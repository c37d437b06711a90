import { createLiveStock, type LiveStock } from "../catalog/live/live-stock.ts";
import { createSharedLevels, type LevelsMemory, levelsMemory } from "../catalog/live/shared-levels.ts";
import { searchTimesMemory } from "../observability/search-times.ts";
import { createRateLimit, type RateLimit, rateLimitMemory, withSites, withTotal } from "../security/rate-limit.ts";
import { cartMovesMemory } from "../storage/cart-moves.ts";

/** What the threads of a process count together. */
export interface SharedMemory {
  readonly limits: Readonly<Record<keyof typeof limits, SharedArrayBuffer>>;
  readonly cartMoves: SharedArrayBuffer;
  /** What is left of variants. */
  readonly stock: LevelsMemory;
  /** 32 bits for each thread. */
  readonly openConnections: SharedArrayBuffer;
  readonly searchTimes: SharedArrayBuffer;
}

export function createSharedMemory(threads: number): SharedMemory {
  const memories = Object.entries(limits).map(([name, { maxKeys }]) => [name, rateLimitMemory(maxKeys)]);
  return {
    limits: Object.fromEntries(memories) as SharedMemory["limits"],
    cartMoves: cartMovesMemory(),
    stock: levelsMemory(),
    openConnections: new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT),
    searchTimes: searchTimesMemory(),
  };
}

/** The stock of variants in shared memory: how many are left for sale, as one thread reads and writes it. */
export function liveStockIn({ stock }: SharedMemory): LiveStock {
  return createLiveStock(createSharedLevels(stock));
}

export function limitIn(memory: SharedMemory, name: keyof typeof limits): RateLimit {
  return createRateLimit({ ...limits[name], memory: memory.limits[name] });
}

/** A limit by address: the networks of one site of IPv6 have together as much as sixteen of them. */
export function addressLimitIn(memory: SharedMemory, name: `${string}ByAddress` & keyof typeof limits): RateLimit {
  const { burst, refillMs, maxKeys } = limits[name];
  const site = { burst: burst * NETWORKS_OF_SITE, refillMs: refillMs / NETWORKS_OF_SITE, maxKeys };
  return withSites(limitIn(memory, name), createRateLimit({ ...site, memory: memory.limits[name] }));
}

/** Telephones of one carrier may be in one site, each with a network of its own. */
const NETWORKS_OF_SITE = 16;

/** How many rows of searches, of searches of a day, or of choices after them, visitors may add that were not there before. */
export function newRowsIn(memory: SharedMemory, name: "Searches" | "SearchDays" | "Choices"): RateLimit {
  return withTotal(limitIn(memory, `new${name}ByNetwork`), limitIn(memory, `new${name}InAll`));
}

/** Searched terms that are kept though nobody searched them before: about 50 a day from one network, 5,000 a day in all. So many pairs of a term and
 *  a product, too. */
const newRowsByNetwork = { burst: 30, refillMs: 3_600_000, maxKeys: 20_000 };
const newRowsInAll = { burst: 2_000, refillMs: 30_000, maxKeys: 1 };

const limits = {
  // Many shoppers may share an address, without `trustProxy` all of them: limits by address are ceilings, far above what shoppers need together. One
  // shopper is limited by cart, checkout or email first.
  /** Wrong discount codes and gift cards: ten for a cart, then three a minute. */
  wrongCodesByAddress: { burst: 300, refillMs: 2_000, maxKeys: 20_000 },
  wrongCodesByCart: { burst: 10, refillMs: 20_000, maxKeys: 20_000 },
  /** Messages, comments and newsletter addresses: five of one email, then one a minute. */
  contactsByAddress: { burst: 60, refillMs: 10_000, maxKeys: 20_000 },
  contactsByEmail: { burst: 5, refillMs: 60_000, maxKeys: 20_000 },
  /** Reservations of stock, each for `checkout.holdMinutes`. Over the limit a checkout is paid without one, so no shopper is rejected. A cart
   *  whose payment failed twice still gets one; renewed on and on, it has one reservation an hour. */
  reservationsByAddress: { burst: 100, refillMs: 60_000, maxKeys: 20_000 },
  reservationsByCart: { burst: 3, refillMs: 3_600_000, maxKeys: 20_000 },
  /** Presses of "order" and "pay", quotes and unproven returns from the payment provider, of each kind so many for one checkout. */
  attemptsByCheckout: { burst: 60, refillMs: 2_000, maxKeys: 20_000 },
  ordersByAddress: { burst: 1_000, refillMs: 1_000, maxKeys: 20_000 },
  /** Questions to a carrier and a tax service (a checkout asks some three times), and sessions that the merchant's login does not know: each asks
   *  another system. */
  quotesByAddress: { burst: 1_000, refillMs: 100, maxKeys: 20_000 },
  unknownSessionsByAddress: { burst: 300, refillMs: 200, maxKeys: 20_000 },
  /** Requests with one token: a thousand at once, then 200 a second. */
  apiCallsByToken: { burst: 1_000, refillMs: 5, maxKeys: 1_024 },
  /** Requests of other systems with a wrong token, or without one, that are told why. */
  wrongTokensByAddress: { burst: 60, refillMs: 1_000, maxKeys: 20_000 },
  /** Payment notifications without a valid signature. */
  unsignedEventsByAddress: { burst: 600, refillMs: 100, maxKeys: 20_000 },
  /** Tokens that are tried at the console's login: five at once, then one in ten seconds. */
  consoleLoginsByAddress: { burst: 5, refillMs: 10_000, maxKeys: 20_000 },
  /** What fails in a revision of the theme: each thread meets it, one tells. */
  themeFaults: { burst: 1, refillMs: 86_400_000, maxKeys: 4_096 },
  newSearchesByNetwork: newRowsByNetwork,
  newSearchesInAll: newRowsInAll,
  newSearchDaysByNetwork: newRowsByNetwork,
  newSearchDaysInAll: newRowsInAll,
  newChoicesByNetwork: newRowsByNetwork,
  newChoicesInAll: newRowsInAll,
} as const;

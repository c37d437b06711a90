import type { SecondFactors } from "../console/console.ts";
import { type Database, tryWrite } from "./database.ts";

/** Creates the store of the second factors of the console's users. */
export function createSecondFactorStore(database: Database): SecondFactors {
  /** Runs a statement that changes one row.  @returns false if no row matches */
  const writeRow = async (sql: string, params: readonly (string | number)[]): Promise<boolean> =>
    (await tryWrite(database, [{ sql, params, requireRows: 1 }])) !== undefined;
  const find: SecondFactors["find"] = async (tokenId) => {
    const sql = "SELECT secret, recovery_codes FROM second_factors WHERE token_id = $1";
    const [row] = await database.read(sql, [tokenId]);
    if (row === undefined) return undefined;
    return { secret: String(row.secret), recoveryHashes: String(row.recovery_codes).split(" ").filter(Boolean) };
  };
  return {
    find,
    add: (tokenId, { secret, recoveryHashes }, { step, now }) =>
      writeRow(
        `INSERT INTO second_factors (token_id, secret, recovery_codes, last_step, created_at)
          VALUES ($1, $2, $3, $4, $5) ON CONFLICT (token_id) DO NOTHING`,
        [tokenId, secret, recoveryHashes.join(" "), step, now],
      ),
    useTimeStep: (tokenId, step) =>
      writeRow("UPDATE second_factors SET last_step = $2 WHERE token_id = $1 AND last_step < $2", [tokenId, step]),
    async useRecoveryCode(tokenId, hash) {
      const secondFactor = await find(tokenId);
      if (secondFactor?.recoveryHashes.includes(hash) !== true) return false;
      const unusedHashes = secondFactor.recoveryHashes.filter((otherHash) => otherHash !== hash);
      // The condition fails if another request used a code at the same time.
      return writeRow("UPDATE second_factors SET recovery_codes = $2 WHERE token_id = $1 AND recovery_codes = $3", [
        ...[tokenId, unusedHashes.join(" "), secondFactor.recoveryHashes.join(" ")],
      ]);
    },
  };
}

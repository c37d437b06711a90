import { type CatalogResources, createImporter } from "../../src/import/catalog.ts";
import { createRowErrors, type RowErrors } from "../../src/import/row-errors.ts";
import { SetupError } from "../../src/setup-error.ts";
import type { Database } from "../../src/storage/database.ts";
import { system } from "../../src/system.ts";

/** Imports files like the command `import`. @throws SetupError while another import runs */
export async function importFiles(
  database: Database,
  files: readonly { readonly path: string; readonly name: string }[],
  { prune = false, ...parts }: Partial<CatalogResources> & { readonly prune?: boolean } = {},
): Promise<{ readonly errors: RowErrors; readonly changed: number; readonly removed: number }> {
  const catalog = createImporter({ currency: "USD", ...system, ...parts, database });
  const outcome = await catalog.apply({ files }, prune ? "full" : "partial", { name: "command" });
  if (outcome.kind === "busy") throw new SetupError(outcome.message);
  if (outcome.kind === "key used") throw new Error("a command has no key");
  if (outcome.kind !== "done") return { errors: outcome.errors, changed: 0, removed: 0 };
  return { errors: createRowErrors(), changed: outcome.changed, removed: outcome.removed };
}

import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** Half of a start is compiling, and most of a thread's: what was compiled is kept beside the store, where nobody else may write.
 *  For a command to call before it loads what it does. */
export function keepCompiled(storeDir: string): void {
  // It would be made; whoever reads it says that there is none.
  if (!existsSync(storeDir)) return;
  // Threads look at the variable.
  process.env.NODE_COMPILE_CACHE ??= join(storeDir, "data", "compiled");
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

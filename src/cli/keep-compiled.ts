import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { isStoreFolder } from "../config/store-folder.ts";

/** Half of a start is compiling, and most of a thread's: what was compiled is kept beside the store, where nobody else may write.
 *  For a command to call before it loads what it does. */
export function keepCompiled(storeDir: string): void {
  // Nothing is made in another folder; whoever reads its settings says that it is no store.
  if (!isStoreFolder(storeDir)) return;
  // Threads look at the variable.
  process.env.NODE_COMPILE_CACHE ??= join(storeDir, "data", "compiled");
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

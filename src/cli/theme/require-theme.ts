import { SetupError } from "../../setup-error.ts";
import { hasTheme, listThemes } from "../../theme/files/store-themes.ts";

/** @throws SetupError that lists the themes of the store if a theme does not exist */
export function requireTheme(storeDir: string, name: string): void {
  if (hasTheme(storeDir, name)) return;
  const names = listThemes(storeDir);
  const list = names.length === 0 ? "This store has no themes." : `This store has: ${names.join(", ")}.`;
  throw new SetupError(`there is no theme "${name}". ${list} Add one with "vitrine theme add".`);
}

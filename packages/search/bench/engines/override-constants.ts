// Changes constants of the source code for one process: `node --import "…/override-constants.ts?set=packages/search/src/scoring/score.ts:closePoints=12" …`.
// Modules are changed before they run, so values derived from a constant change too. Threads of the process also load
// the changed modules. A constant is an exported `const` (`closePoints`), a property of an exported object
// (`matchBoosts.form`), or a property of such a property (`declared.title.weight`).
import { registerHooks } from "node:module";
import { overrideConstant, parseOverride } from "./constant-source.ts";

const overrides = new URL(import.meta.url).searchParams.getAll("set").map(parseOverride);

registerHooks({
  load(url, context, nextLoad) {
    const loadedModule = nextLoad(url, context);
    const fileOverrides = overrides.filter(({ file }) => url.endsWith(`/${file}`));
    if (fileOverrides.length === 0) return loadedModule;
    const source = fileOverrides.reduce(
      (text, { name, value }) => overrideConstant(text, name, value),
      Buffer.from(loadedModule.source as Uint8Array).toString("utf8"),
    );
    return { ...loadedModule, source };
  },
});

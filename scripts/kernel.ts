// Compiles the inner loops of the search engine, `packages/search/src/docset/kernel/`, to WebAssembly. Run `npm run kernel`
// after each change there.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The compiled code is in the repository, so servers do not compile it at startup. */
export const codeFile = `${root}packages/search/src/docset/kernel-code.ts`;

/** Compiles the kernel.  @returns the content of `codeFile`  @throws Error with the compiler's message */
export async function compileKernel(): Promise<string> {
  let code: Uint8Array | undefined;
  const { error, stderr } = await main(
    [
      "packages/search/src/docset/kernel/doc-ids.ts",
      ...["--outFile", "kernel.wasm", "-O3", "--noAssert", "--runtime", "stub"],
      ...["--enable", "simd", "--enable", "bulk-memory", "--importMemory", "--noExportMemory", "--pedantic"],
    ],
    {
      readFile: (name) => read(`${root}${name}`),
      writeFile: (name, contents) => {
        if (name === "kernel.wasm") code = contents as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || code === undefined) throw new Error(`${error?.message}\n${stderr.toString()}`);
  const text = Buffer.from(code).toString("base64");
  return `/** The folder \`kernel/\`, compiled to WebAssembly by \`npm run kernel\`. */\nexport const code =\n  "${text}";\n`;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The file does not exist. The compiler then tries other file names.
    return null;
  }
}

if (import.meta.main) writeFileSync(codeFile, await compileKernel());

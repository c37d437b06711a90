import { commands } from "../../src/cli/commands.ts";
import type { TestShop } from "./shop.ts";

export interface CommandResult {
  /** Exit code of the process. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command next to a running shop, on its database. */
export async function runCommand(
  { storeDir, env }: Pick<TestShop, "storeDir"> & { readonly env: NodeJS.ProcessEnv },
  verb: string,
  ...args: readonly string[]
): Promise<CommandResult> {
  const command = commands.get(verb);
  if (command === undefined) throw new Error(`there is no verb ${verb}`);
  const { run } = await command.load();
  const written = { out: "", err: "" };
  const sink = (to: keyof typeof written): NodeJS.WritableStream =>
    ({
      write(text: string) {
        written[to] += text;
      },
    }) as never;
  const code = await run(args, { cwd: storeDir, env, stdout: sink("out"), stderr: sink("err"), program: "vitrine" });
  return { code, ...written };
}

/** Creates a token of the shop with these scopes. */
export async function createApiToken(
  shop: Pick<TestShop, "storeDir" | "env">,
  ...scopes: readonly string[]
): Promise<string> {
  const { code, out, err } = await runCommand(shop, "token", "create", "--scopes", scopes.join(","));
  if (code !== 0) throw new Error(err);
  return out.trim();
}

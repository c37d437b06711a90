import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./settings.ts";

/** Recorded by a server that received X-Forwarded headers from an address missing in `trustProxy`. */
interface Note {
  /** The proxy's IP address. Undefined if it is public, as it may be a visitor's. */
  readonly proxy?: string;
  readonly trustProxy: Config["trustProxy"];
}

/** Records that forwarded headers were ignored, for {@link untrustedProxy}. */
export async function recordUntrustedProxy(
  storeDir: string,
  { trustProxy }: Pick<Config, "trustProxy">,
  proxy: string | undefined,
): Promise<void> {
  const note: Note = { trustProxy, ...(proxy === undefined ? {} : { proxy }) };
  await writeFile(noteFile(storeDir), JSON.stringify(note), { mode: 0o600 });
}

/** Returns how to fix ignored forwarded headers under these settings, or undefined if none were ignored. */
export function untrustedProxy(storeDir: string, { trustProxy }: Pick<Config, "trustProxy">): string | undefined {
  const note = readNote(storeDir);
  if (note === undefined || JSON.stringify(note.trustProxy) !== JSON.stringify(trustProxy)) return undefined;
  return adviceFor(note.proxy);
}

/** Returns how to trust a proxy.  @param proxy its IP address; undefined if it is public */
export function adviceFor(proxy: string | undefined): string {
  const name = proxy ?? "a public address";
  const change = proxy === undefined ? "add its address to trustProxy" : `set trustProxy: ["${proxy}"]`;
  return `X-Forwarded headers from ${name} are ignored, so its visitors share one address: if it is your proxy, ${change}.`;
}

function readNote(storeDir: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(noteFile(storeDir), "utf8")) as Note;
  } catch {
    return undefined;
  }
}

function noteFile(storeDir: string): string {
  return join(storeDir, "data", "untrusted-proxy.json");
}

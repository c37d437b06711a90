import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./settings.ts";

/**
 * Content of the file that a server writes when it ignored X-Forwarded headers from an address missing in `trustProxy`.
 */
interface ProxyRecord {
  /** IP address of the proxy. It is omitted if it is public, since it may be the address of a visitor. */
  readonly proxy?: string;
  readonly trustProxy: Config["trustProxy"];
}

/** Records that forwarded headers were ignored. {@link describeUntrustedProxy} reads this record. */
export async function recordUntrustedProxy(
  storeDir: string,
  { trustProxy }: Pick<Config, "trustProxy">,
  proxy: string | undefined,
): Promise<void> {
  const record: ProxyRecord = { trustProxy, ...(proxy === undefined ? {} : { proxy }) };
  await writeFile(getRecordFile(storeDir), JSON.stringify(record), { mode: 0o600 });
}

/** Returns advice if a server with these settings ignored forwarded headers, otherwise undefined. */
export function describeUntrustedProxy(
  storeDir: string,
  { trustProxy }: Pick<Config, "trustProxy">,
): string | undefined {
  const record = readRecord(storeDir);
  if (record === undefined || JSON.stringify(record.trustProxy) !== JSON.stringify(trustProxy)) return undefined;
  return proxyAdvice(record.proxy);
}

/** Returns advice on how to trust a proxy.  @param proxy IP address of the proxy; undefined if it is public */
export function proxyAdvice(proxy: string | undefined): string {
  const name = proxy ?? "a public address";
  const change = proxy === undefined ? "add its address to trustProxy" : `set trustProxy: ["${proxy}"]`;
  return `X-Forwarded headers from ${name} are ignored, so its visitors share one address: if it is your proxy, ${change}.`;
}

function readRecord(storeDir: string): ProxyRecord | undefined {
  try {
    return JSON.parse(readFileSync(getRecordFile(storeDir), "utf8")) as ProxyRecord;
  } catch {
    return undefined;
  }
}

function getRecordFile(storeDir: string): string {
  return join(storeDir, "data", "untrusted-proxy.json");
}

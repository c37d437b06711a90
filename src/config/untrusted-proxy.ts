import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./settings.ts";

/**
 * Content of a file that records an ignored proxy: it sent X-Forwarded headers but is missing in the setting
 * `trustProxy`.
 */
interface ProxyRecord {
  /** IP address of the proxy. A public address is not recorded, because it may belong to a visitor. */
  readonly proxy?: string;
  readonly trustProxy: Config["trustProxy"];
}

/** Records that X-Forwarded headers were ignored. {@link describeUntrustedProxy} reads the record. */
export async function saveUntrustedProxy(
  storeDir: string,
  { trustProxy }: Pick<Config, "trustProxy">,
  proxy: string | undefined,
): Promise<void> {
  const record: ProxyRecord = { trustProxy, ...(proxy === undefined ? {} : { proxy }) };
  await writeFile(getRecordFile(storeDir), JSON.stringify(record), { mode: 0o600 });
}

/** Returns advice if the server has ignored X-Forwarded headers, otherwise undefined. */
export function describeUntrustedProxy(
  storeDir: string,
  { trustProxy }: Pick<Config, "trustProxy">,
): string | undefined {
  const record = readProxyRecord(storeDir);
  if (record === undefined || JSON.stringify(record.trustProxy) !== JSON.stringify(trustProxy)) return undefined;
  return describeProxyFix(record.proxy);
}

/** Returns advice on how to trust a proxy.  @param proxy IP address of the proxy; undefined if it is public */
export function describeProxyFix(proxy: string | undefined): string {
  const name = proxy ?? "a public address";
  const advice = proxy === undefined ? "add its address to trustProxy" : `set trustProxy: ["${proxy}"]`;
  return `X-Forwarded headers from ${name} are ignored, so its visitors share one address: if it is your proxy, ${advice}.`;
}

function readProxyRecord(storeDir: string): ProxyRecord | undefined {
  try {
    return JSON.parse(readFileSync(getRecordFile(storeDir), "utf8")) as ProxyRecord;
  } catch {
    return undefined;
  }
}

function getRecordFile(storeDir: string): string {
  return join(storeDir, "data", "untrusted-proxy.json");
}

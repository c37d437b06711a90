import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { FlatDocument } from "../flat-documents.ts";

/** A running search server with all products. */
export interface SearchServer {
  readonly port: number;
  /** Process that serves. */
  readonly pid: number;
  /** Returns the path and query of a request for the first ten products. The last word of `typed` texts may be a prefix. */
  path(text: string, kind: "typed" | "whole"): string;
  /** Returns the body of this request, which is then a POST request. */
  body?(text: string, kind: "typed" | "whole"): string;
  /** Additional headers of this request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the product ids of a response. */
  idsOf(body: string): readonly string[];
  /** Replaces the title of a product. */
  changeTitle(document: FlatDocument, title: string): Promise<void>;
  close(): Promise<void>;
}

/** A search server that can be compared. */
export interface ServerPeer {
  readonly title: string;
  /** Returns the reason why the server cannot run on this machine, or undefined if it can. */
  explainMissing(): string | undefined;
  /**
   * Starts the server on one core, when its index is complete. An empty folder is filled first.
   * @param documents path of the documents file
   */
  open(documents: string, folder: string): Promise<SearchServer>;
}

/** Searches for a complete query.  @returns product ids, the best first */
export async function searchWhole(server: SearchServer, text: string): Promise<readonly string[]> {
  const { port, path, headers = {}, body } = server;
  const request = body === undefined ? { headers } : { method: "POST", headers, body: body(text, "whole") };
  const response = await fetch(`http://127.0.0.1:${port}${path(text, "whole")}`, request);
  return server.idsOf(await response.text());
}

/** Returns a complete request for a typed text, with one character per byte. */
export function typedRequest({ port, path, headers = {}, body }: SearchServer, text: string): string {
  const content = Buffer.from(body?.(text, "typed") ?? "").toString("latin1");
  const lines = [
    `${body === undefined ? "GET" : "POST"} ${path(text, "typed")} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "accept: */*",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${content.length}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${content}`;
}

/** Sends a change.  @throws Error if the response is not a success */
export async function sendChange(url: string, request: RequestInit): Promise<void> {
  const response = await fetch(url, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
}

/** Starts a process.  @param command its standard output is inherited as errors */
export function start(command: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const [program = "", ...args] = command;
  return spawn(program, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } });
}

/** Resolves when a port accepts connections.  @throws Error if the process ends before */
export async function awaitPort(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await wait(pollMs);
  }
}

const pollMs = 10;

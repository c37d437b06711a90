import { HANG_MS, until } from "./until.ts";

/** Event stream of a page under `vitrine dev`. */
export interface PageEvents {
  /** Resolves when the server has closed the stream. */
  readonly ended: Promise<void>;
  /** Diagnostics of the last event. */
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Resolves with the current or next diagnostics that meet the condition. */
  reportsUntil(isMet: (diagnostics: readonly ReportedDiagnostic[]) => boolean): Promise<readonly ReportedDiagnostic[]>;
  /** Resolves with the next change. */
  change(): Promise<ReportedChange>;
  close(): void;
}

export interface ReportedDiagnostic {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly excerpt?: readonly { readonly number: number; readonly text: string; readonly isMarked?: true }[];
}

export interface ReportedChange {
  readonly isReload: boolean;
  readonly sections: readonly string[];
  readonly styles: Readonly<Record<string, string>>;
}

/** Opens a page like a browser: loads it, then subscribes to its events. */
export async function openPage(origin: string, path: string): Promise<PageEvents> {
  const html = await (await fetch(origin + path)).text();
  const [, page, since] = /data-vitrine-page="([^"]+)" data-revision="(\d+)"/.exec(html) ?? [];
  const abort = new AbortController();
  const answer = await fetch(`${origin}/vitrine/dev/events?page=${page}&since=${since}`, { signal: abort.signal });
  let diagnostics: readonly ReportedDiagnostic[] = [];
  const changes: ReportedChange[] = [];
  const waiting = new Set<() => void>();
  const untilReported = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        waiting.delete(attempt);
        reject(new Error(`not reported in time; the diagnostics are ${JSON.stringify(diagnostics)}`));
      };
      const late = setTimeout(give, HANG_MS);
      const attempt = (): void => {
        const found = look();
        if (found === undefined) return;
        clearTimeout(late);
        waiting.delete(attempt);
        resolve(found);
      };
      waiting.add(attempt);
      attempt();
    });
  const take = (event: string, data: string): void => {
    if (event === "diagnostics")
      diagnostics = (JSON.parse(data) as { readonly diagnostics: readonly ReportedDiagnostic[] }).diagnostics;
    else changes.push(JSON.parse(data) as ReportedChange);
    for (const attempt of [...waiting]) attempt();
  };
  const read = async (): Promise<void> => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(message) ?? [];
        if (event !== undefined && data !== undefined) take(event, data);
      }
    }
  };
  const ended = read().catch(() => undefined);
  return {
    ended,
    get diagnostics() {
      return diagnostics;
    },
    reportsUntil: (isMet) => untilReported(() => (isMet(diagnostics) ? diagnostics : undefined)),
    change: () => untilReported(() => changes.shift()),
    close: () => abort.abort(),
  };
}

/** Loads a page until it contains this pattern. The server may refuse connections meanwhile. */
export function loadUntil(address: string, part: RegExp): Promise<string> {
  return until(async () => {
    const html = await (await fetch(address)).text();
    return part.test(html) ? html : undefined;
  }, `${address} contains ${part}`);
}

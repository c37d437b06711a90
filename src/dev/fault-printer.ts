import type { Fault } from "./fault.ts";
import { faultLines } from "./fault-text.ts";

/** Shown at once; of more the number is said. */
const MAX_SHOWN = 10;

/** Writes faults to a terminal, each once as it comes, and that they are gone when they are. Warnings take a line, and are counted at the start.
 *  @returns takes all there are */
export function createFaultPrinter(write: (line: string) => void): (faults: readonly Fault[]) => void {
  let known: ReadonlyMap<string, Fault> = new Map();
  return (faults) => {
    const now = new Map(faults.map((fault) => [keyOf(fault), fault]));
    const fresh = [...now].flatMap(([key, fault]) => (known.has(key) ? [] : [fault]));
    const isMended = [...known].some(([key, { severity }]) => severity === "fault" && !now.has(key));
    known = now;
    for (const fault of fresh.slice(0, MAX_SHOWN)) {
      const [head = "", ...lines] = faultLines(fault);
      write(head);
      if (fault.severity === "fault") for (const line of lines) write(line);
    }
    if (fresh.length > MAX_SHOWN) write(`… and ${fresh.length - MAX_SHOWN} more: the page lists them.`);
    if (isMended && ![...now.values()].some(({ severity }) => severity === "fault"))
      write("Mended: there is no fault left.");
  };
}

function keyOf({ file = "", line = 0, message }: Fault): string {
  return `${file}:${line} ${message}`;
}

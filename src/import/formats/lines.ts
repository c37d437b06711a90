import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

/** One line of a text file, without its end. */
export interface TextLine {
  /** From 1. */
  readonly line: number;
  /** "" where there is a fault. */
  readonly text: string;
  /** Why the line is not text. */
  readonly fault?: string;
  /** Bytes of the file up to here. */
  readonly bytes: number;
}

/** @param start of the file, or of the line  @returns what is wrong with bytes that are not UTF-8 */
export function encodingFault(start: Buffer): string {
  const isUtf16 = ["fffe", "feff"].includes(start.toString("hex", 0, 2));
  return `is not UTF-8 text${isUtf16 ? " but UTF-16" : ""}: save the file as UTF-8`;
}

/** Bytes of one line: a row is held in memory whole. */
const MAX_LINE = 16 * 1_024 * 1_024;
const NEWLINE = 0x0a;

/** The lines of a file, one after the other, a byte order mark left out. */
export async function* readLines(file: string): AsyncGenerator<TextLine> {
  let rest: Buffer[] = [];
  let restLength = 0;
  let line = 0;
  let bytes = 0;
  const finish = (last: Buffer): TextLine => {
    line += 1;
    const isTooLong = restLength + last.length > MAX_LINE;
    const whole = rest.length === 0 ? last : Buffer.concat([...rest, last]);
    rest = [];
    restLength = 0;
    if (isTooLong) return { line, text: "", fault: "is longer than 16 MB", bytes };
    if (!isUtf8(whole)) return { line, text: "", fault: encodingFault(whole), bytes };
    const text = whole.toString("utf8");
    return { line, text: line === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text, bytes };
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1_024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      bytes += end + 1 - start;
      yield finish(chunk.subarray(start, end));
      start = end + 1;
    }
    const tail = chunk.subarray(start);
    bytes += tail.length;
    restLength += tail.length;
    // What is too long is counted, not kept.
    if (tail.length > 0 && restLength <= MAX_LINE) rest.push(tail);
  }
  if (restLength > 0) yield finish(Buffer.alloc(0));
}

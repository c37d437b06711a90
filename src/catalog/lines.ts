import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

/** One line of a text file, without its end. */
export interface TextLine {
  /** From 1. */
  readonly line: number;
  /** Undefined where the line is not text: bytes that are no UTF-8, or too many. */
  readonly text: string | undefined;
  /** Bytes of the file up to here. */
  readonly bytes: number;
  readonly isTooLong: boolean;
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
    return { line, text: isTooLong ? undefined : decode(whole, line === 1), bytes, isTooLong };
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

function decode(bytes: Buffer, isFirst: boolean): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return isFirst && text.startsWith("\uFEFF") ? text.slice(1) : text;
}

import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { type TextEncoding, utf8Encoding } from "./encoding.ts";

/** One line of a text file, without its line end. */
export interface TextLine {
  /** Line number, from 1. */
  readonly line: number;
  /** Text of the line, or "" if it has an error. */
  readonly text: string;
  /** Reason why the line is not valid text. */
  readonly error?: string;
  /** Number of bytes that have been read from the file so far. */
  readonly bytes: number;
}

/** Error message for bytes that are not valid UTF-8. */
export const utf8ErrorMessage = "is not UTF-8 text: save the file as UTF-8";

/** Maximum bytes of one line. The limit protects memory, because a line is read as a single string. */
const MAX_LINE_BYTES = 16 * 1_024 * 1_024;
const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1_024;

/** Yields the lines of a file, without line ends and byte order mark. */
export function readLines(file: string, encoding: TextEncoding = utf8Encoding): AsyncGenerator<TextLine> {
  return encoding.label === utf8Encoding.label ? readUtf8Lines(file) : readDecodedLines(file, encoding);
}

async function* readDecodedLines(file: string, { label, name }: TextEncoding): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder(label);
  let incompleteLine = "";
  let line = 0;
  let bytes = 0;
  const finishLine = (text: string): TextLine => {
    line += 1;
    if (text.length > MAX_LINE_BYTES) return { line, text: "", error: "is longer than 16 MB", bytes };
    // The decoder writes U+FFFD for invalid bytes.
    if (text.includes("\uFFFD")) return { line, text: "", error: `contains bytes that are not valid ${name}`, bytes };
    return { line, text, bytes };
  };
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    const lines = (incompleteLine + decoder.decode(chunk, { stream: true })).split("\n");
    incompleteLine = lines.pop() ?? "";
    for (const text of lines) yield finishLine(text);
  }
  incompleteLine += decoder.decode();
  if (incompleteLine !== "") yield finishLine(incompleteLine);
}

async function* readUtf8Lines(file: string): AsyncGenerator<TextLine> {
  let incompleteLine: Buffer[] = [];
  let incompleteLength = 0;
  let line = 0;
  let bytes = 0;
  const finishLine = (lastPart: Buffer): TextLine => {
    line += 1;
    const isTooLong = incompleteLength + lastPart.length > MAX_LINE_BYTES;
    const lineBuffer = incompleteLine.length === 0 ? lastPart : Buffer.concat([...incompleteLine, lastPart]);
    incompleteLine = [];
    incompleteLength = 0;
    if (isTooLong) return { line, text: "", error: "is longer than 16 MB", bytes };
    if (!isUtf8(lineBuffer)) return { line, text: "", error: utf8ErrorMessage, bytes };
    const text = lineBuffer.toString("utf8");
    return { line, text: line === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text, bytes };
  };
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      bytes += end + 1 - start;
      yield finishLine(chunk.subarray(start, end));
      start = end + 1;
    }
    const remainingBytes = chunk.subarray(start);
    bytes += remainingBytes.length;
    incompleteLength += remainingBytes.length;
    // If a line is too long, only its length is counted, and its text is dropped.
    if (remainingBytes.length > 0 && incompleteLength <= MAX_LINE_BYTES) incompleteLine.push(remainingBytes);
  }
  if (incompleteLength > 0) yield finishLine(Buffer.alloc(0));
}

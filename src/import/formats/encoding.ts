import { isAscii, isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

export interface TextEncoding {
  /** Label of the encoding for `TextDecoder`, such as "windows-1252". */
  readonly label: string;
  /** Common name of the encoding, for messages. */
  readonly name: string;
  /**
   * Whether the encoding was guessed from letter statistics: the file has no byte order mark and is not valid UTF-8.
   */
  readonly isGuessed: boolean;
}

export const utf8Encoding: TextEncoding = { label: "utf-8", name: "UTF-8", isGuessed: false };

/** Returns an encoding by name ("windows-1250", "shift_jis"), or undefined. */
export function encodingOf(name: string): TextEncoding | undefined {
  // The Encoding Standard calls MacRoman "macintosh".
  const label = /^mac[ _-]?roman$/i.test(name) ? "macintosh" : name;
  try {
    return { label: new TextDecoder(label).encoding, name, isGuessed: false };
  } catch {
    return undefined;
  }
}

/**
 * Detects the encoding of a file from its byte order mark or XML declaration. Without either, it tries UTF-8, then
 * Windows-1252, then MacRoman (written by Excel for the Mac), and returns the first that gives plausible words.
 * @returns undefined for other encodings. A file with few invalid bytes still counts as UTF-8
 */
export async function detectEncoding(file: string): Promise<TextEncoding | undefined> {
  const encodingEvidence = new EncodingEvidence();
  let isFirstChunk = true;
  let incompleteBytes: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const declaredEncoding = isFirstChunk ? findDeclaredEncoding(chunk) : undefined;
    if (declaredEncoding !== undefined) return declaredEncoding;
    isFirstChunk = false;
    const bytes = incompleteBytes.length === 0 ? chunk : Buffer.concat([incompleteBytes, chunk]);
    // A multi-byte character that is cut at the end of the chunk is read with the next chunk.
    const end = findLastAsciiIndex(bytes) + 1;
    encodingEvidence.addBytes(bytes.subarray(0, end));
    incompleteBytes = bytes.subarray(end);
  }
  encodingEvidence.addBytes(incompleteBytes);
  return encodingEvidence.getEncoding();
}

const CHUNK_BYTES = 256 * 1_024;
const describeUtf16 = (label: string): TextEncoding => ({ label, name: "UTF-16", isGuessed: false });

/** Returns the encoding that a byte order mark or XML declaration states. */
function findDeclaredEncoding(start: Buffer): TextEncoding | undefined {
  if (start.subarray(0, 3).toString("hex") === "efbbbf") return utf8Encoding;
  const byteOrderMark = start.subarray(0, 2).toString("hex");
  if (byteOrderMark === "fffe") return describeUtf16("utf-16le");
  if (byteOrderMark === "feff") return describeUtf16("utf-16be");
  // UTF-16 without a byte order mark: column names are ASCII, so every second byte is 0.
  const [evenZeroRatio, oddZeroRatio] = [0, 1].map((from) => computeNulRatio(start.subarray(0, 512), from));
  if (
    oddZeroRatio !== undefined &&
    evenZeroRatio !== undefined &&
    Math.max(oddZeroRatio, evenZeroRatio) > 0.7 &&
    Math.min(oddZeroRatio, evenZeroRatio) < 0.1
  )
    return describeUtf16(oddZeroRatio > evenZeroRatio ? "utf-16le" : "utf-16be");
  const encodingLabel = /^<\?xml[^>]{0,200}?encoding=["']([\w.:-]{2,30})["']/.exec(
    start.toString("latin1", 0, 300),
  )?.[1];
  return encodingLabel === undefined || /^utf-?8$/i.test(encodingLabel) ? undefined : encodingOf(encodingLabel);
}

/** Returns the share of zero bytes at every second position, starting at `from`. */
function computeNulRatio(bytes: Buffer, from: number): number {
  const alternateBytes = bytes.filter((_, index) => index % 2 === from);
  return alternateBytes.length < 4 ? 0 : alternateBytes.filter((byte) => byte === 0).length / alternateBytes.length;
}

function findLastAsciiIndex(bytes: Buffer): number {
  let index = bytes.length - 1;
  while (index >= 0 && (bytes[index] ?? 0) >= 0x80) index -= 1;
  return index < 0 ? bytes.length - 1 : index;
}

/** Evidence for and against encodings in the bytes read so far. */
class EncodingEvidence {
  #isUtf8 = true;
  /**
   * Numbers of sequences of non-ASCII bytes: sequences that are valid UTF-8, sequences that are not, and sequences that
   * would be implausible in Windows-1252.
   */
  #utf8RunCount = 0;
  #nonUtf8RunCount = 0;
  #garbledRunCount = 0;
  /** Number of sequences of non-ASCII bytes that are part of a plausible western word in MacRoman. */
  #macRomanRunCount = 0;
  /**
   * Evidence of a Turkish encoding, in which the bytes of the Icelandic letters ð, þ and ý stand for other letters.
   * `#nordicByteCount` counts these bytes. `#acuteLetterCount` counts the letters á, í, ó and ú, which almost every Icelandic or Czech
   * text contains.
   */
  #nordicByteCount = 0;
  #acuteLetterCount = 0;

  addBytes(bytes: Buffer): void {
    if (this.#isUtf8 && isUtf8(bytes)) {
      // A chunk of valid UTF-8 counts as one sequence, which is faster than counting its sequences. Most files are
      // valid UTF-8.
      this.#utf8RunCount += isAscii(bytes) ? 0 : 1;
      return;
    }
    this.#isUtf8 = false;
    for (let start = 0; start < bytes.length; start += 1) {
      if ((bytes[start] ?? 0) < 0x80) continue;
      let end = start;
      while (end < bytes.length && (bytes[end] ?? 0) >= 0x80) end += 1;
      const byteSequence = bytes.subarray(start, end);
      if (isUtf8(byteSequence)) this.#utf8RunCount += 1;
      else {
        this.#nonUtf8RunCount += 1;
        this.#nordicByteCount += byteSequence.filter((byte) => nordicLetters.has(byte)).length;
        this.#acuteLetterCount += byteSequence.filter((byte) => lettersWithAcute.has(byte)).length;
        if (areGarbledBytes(byteSequence, bytes[start - 1], bytes[end])) this.#garbledRunCount += 1;
        if (isMacRomanWord(byteSequence, bytes[start - 1], bytes[end])) this.#macRomanRunCount += 1;
      }
      start = end;
    }
  }

  getEncoding(): TextEncoding | undefined {
    if (this.#isUtf8 || this.#utf8RunCount > this.#nonUtf8RunCount) return utf8Encoding;
    const isMacRoman = this.#macRomanRunCount >= this.#nonUtf8RunCount * (1 - MAX_GARBLED_SHARE);
    if (
      (this.#nordicByteCount > 2 && this.#acuteLetterCount === 0) ||
      this.#garbledRunCount > this.#nonUtf8RunCount * MAX_GARBLED_SHARE
    )
      return isMacRoman ? { label: "macintosh", name: "MacRoman", isGuessed: true } : undefined;
    return { label: "windows-1252", name: "Windows-1252", isGuessed: true };
  }
}

/** Bytes of the letters Ð Ý Þ ð ý þ in Windows-1252, and of á í ó ú. */
const nordicLetters: ReadonlySet<number> = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
const lettersWithAcute: ReadonlySet<number> = new Set([0xe1, 0xed, 0xf3, 0xfa]);

/** Maximum share of implausible byte sequences, which occur in brand names or text in another encoding. */
const MAX_GARBLED_SHARE = 0.05;

/**
 * Returns whether a sequence of non-ASCII bytes would be implausible in Windows-1252. Such a sequence has three
 * consecutive non-ASCII letters, a symbol between two letters, an upper-case letter after a lower-case one, or
 * undefined bytes.
 */
function areGarbledBytes(
  nonAsciiBytes: Buffer,
  previousByte: number | undefined,
  nextByte: number | undefined,
): boolean {
  const text = windows1252.decode(nonAsciiBytes);
  if (/[\u0080-\u009f]/.test(text)) return true;
  if (/\p{L}{3}/u.test(text)) return true;
  const word = `${toAscii(previousByte)}${text}${toAscii(nextByte)}`;
  return /\p{L}[^\p{L}\p{M}’‘´·°®™–—\s]\p{L}/u.test(word) || /\p{Ll}[–—‘]\p{Ll}|[a-z][ŠŽŒŸ]|\p{Lu}Ÿ[a-z]/u.test(word);
}

function toAscii(byte: number | undefined): string {
  return byte === undefined || byte >= 0x80 ? " " : String.fromCharCode(byte);
}

/**
 * Returns whether a sequence of non-ASCII bytes is part of plausible western words in MacRoman. It contains only
 * letters of western languages, no upper-case letter after a lower-case one, and symbols only between words.
 */
function isMacRomanWord(
  nonAsciiBytes: Buffer,
  previousByte: number | undefined,
  nextByte: number | undefined,
): boolean {
  const text = macRoman.decode(nonAsciiBytes);
  if (!westernWordPattern.test(text) || /\p{L}{3}/u.test(text)) return false;
  const word = `${toAscii(previousByte)}${text}${toAscii(nextByte)}`;
  return !/\p{Ll}\p{Lu}|\p{L}[^\p{L}’\s]\p{L}/u.test(word);
}

const westernWordPattern = /^[äöüÄÖÜßéèêëàâçôîïùûœæÉÈÊËÀÂÇÔÎÏÙÛŒÆñÑáíóúÁÍÓÚåÅøØãõÃÕìòÌÒÿ¿¡’‘“”„‚–—…«»€£°®©™•\u00a0]+$/;

const windows1252 = new TextDecoder("windows-1252");
const macRoman = new TextDecoder("macintosh");

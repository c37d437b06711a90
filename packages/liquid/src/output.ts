import { LiquidError } from "./errors.ts";
import type { Meter } from "./limits.ts";

/** Recorded output of a snippet that read only its own arguments, and the number of steps that it used. */
export interface RecordedOutput {
  readonly text: string;
  readonly steps: number;
}

/** Output buffer of one render. */
export class Output {
  text = "";
  /**
   * Number of reads of data other than a snippet's arguments: global variables, templates, the time. A snippet that
   * reads such data cannot be cached.
   */
  accessCount = 0;
  /** Whether the output of a snippet is being recorded, so that reads must be counted. */
  isRecording = false;
  /** Number of characters that can still be written. */
  #remainingCharacters: number;

  /** Creates an empty output buffer.  @param maxCharacters maximum number of characters */
  constructor(maxCharacters: number) {
    this.#remainingCharacters = maxCharacters;
  }

  /** Appends text.  @throws LiquidError if the output exceeds its limit */
  write(text: string): void {
    this.#remainingCharacters -= text.length;
    if (this.#remainingCharacters < 0) throw new LiquidError("limit", "the output is too long");
    this.text += text;
  }

  /** Returns the output of `render` instead of appending it.  @param maxCharacters maximum number of characters */
  capture(maxCharacters: number, render: () => void): string {
    const { text } = this;
    const previousLimit = this.#remainingCharacters;
    this.text = "";
    this.#remainingCharacters = maxCharacters;
    try {
      render();
      return this.text;
    } finally {
      this.text = text;
      this.#remainingCharacters = previousLimit;
    }
  }

  /**
   * Appends the output of a snippet and returns a recording of it. Returns undefined if the snippet read other data
   * than its arguments.
   * @param meter meter that counts the steps
   */
  record(meter: Meter, render: () => void): RecordedOutput | undefined {
    const { text, accessCount, isRecording } = this;
    const { usedSteps } = meter;
    this.text = "";
    this.isRecording = true;
    try {
      render();
      return this.accessCount === accessCount ? { text: this.text, steps: meter.usedSteps - usedSteps } : undefined;
    } finally {
      this.text = text + this.text;
      this.isRecording = isRecording;
    }
  }
}

import { LiquidError } from "./errors.ts";
import type { Meter } from "./limits.ts";

/** Recorded output of a snippet that read only its own variables, and the number of steps it used. */
export interface RecordedOutput {
  readonly text: string;
  readonly steps: number;
}

/** Output buffer of one render. */
export class Output {
  text = "";
  /** Number of accesses to inputs of the render: global variables, templates, the time, error handlers. */
  accessCount = 0;
  /** Whether accesses are counted. */
  isRecorded = false;
  /** Number of characters that can still be written. */
  #remainingCharacters: number;

  /** Creates an output.  @param maxCharacters maximum number of characters */
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
    const outerRemaining = this.#remainingCharacters;
    this.text = "";
    this.#remainingCharacters = maxCharacters;
    try {
      render();
      return this.text;
    } finally {
      this.text = text;
      this.#remainingCharacters = outerRemaining;
    }
  }

  /**
   * Appends and returns the output of `render`. Returns undefined if `render` accessed inputs of the render.
   * @param meter meter that counts the steps
   */
  record(meter: Meter, render: () => void): RecordedOutput | undefined {
    const { text, accessCount, isRecorded } = this;
    const { usedSteps } = meter;
    this.text = "";
    this.isRecorded = true;
    try {
      render();
      return this.accessCount === accessCount ? { text: this.text, steps: meter.usedSteps - usedSteps } : undefined;
    } finally {
      this.text = text + this.text;
      this.isRecorded = isRecorded;
    }
  }
}

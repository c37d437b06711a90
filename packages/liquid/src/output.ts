import { LiquidError } from "./errors.ts";
import type { Meter } from "./limits.ts";

/** Output of a snippet that read nothing except its variables, and the steps it used. */
export interface Written {
  readonly text: string;
  readonly steps: number;
}

/** Output of the templates of one render. */
export class Output {
  text = "";
  /** Number of accesses to the render's inputs: global variables, templates, the time, error handlers. */
  accessCount = 0;
  /** Whether accesses are counted. */
  isRecorded = false;
  /** Remaining characters. */
  #room: number;

  /** @param remaining maximum characters */
  constructor(remaining: number) {
    this.#room = remaining;
  }

  /** @throws LiquidError if the output is full */
  write(text: string): void {
    this.#room -= text.length;
    if (this.#room < 0) throw new LiquidError("limit", "more output than a template may make");
    this.text += text;
  }

  /** Returns the output of `render` instead of appending it.  @param remaining maximum characters */
  capture(remaining: number, render: () => void): string {
    const { text } = this;
    const outerRoom = this.#room;
    this.text = "";
    this.#room = remaining;
    try {
      render();
      return this.text;
    } finally {
      this.text = text;
      this.#room = outerRoom;
    }
  }

  /**
   * Appends and returns the output of `render`; undefined if it accessed the render's inputs.
   * @param meter counts the steps
   */
  record(meter: Meter, render: () => void): Written | undefined {
    const { text, accessCount, isRecorded } = this;
    const { used } = meter;
    this.text = "";
    this.isRecorded = true;
    try {
      render();
      return this.accessCount === accessCount ? { text: this.text, steps: meter.used - used } : undefined;
    } finally {
      this.text = text + this.text;
      this.isRecorded = isRecorded;
    }
  }
}

import { LimitError } from "./errors.ts";
import type { Meter } from "./limits.ts";

/** What a template wrote that looked at nothing but its own variables, and what it took. */
export interface Written {
  readonly text: string;
  readonly steps: number;
}

/** What the templates of one render write to. */
export class Output {
  text = "";
  /** How often what the render was given was looked at, or told of something: variables of the program, templates, the time, faults. */
  looks = 0;
  /** Somebody wants to know how often. */
  isRecorded = false;
  /** Characters it may still grow by. */
  #room: number;

  /** @param room characters that it may have */
  constructor(room: number) {
    this.#room = room;
  }

  /** @throws LimitError where there is no room */
  write(text: string): void {
    this.#room -= text.length;
    if (this.#room < 0) throw new LimitError("more output than a template may make");
    this.text += text;
  }

  /** What `render` writes, which goes nowhere else. @param room characters that it may have */
  aside(room: number, render: () => void): string {
    const { text } = this;
    const outerRoom = this.#room;
    this.text = "";
    this.#room = room;
    try {
      render();
      return this.text;
    } finally {
      this.text = text;
      this.#room = outerRoom;
    }
  }

  /** What `render` writes here; undefined where what the render was given had a part in it. @param meter that counts its steps */
  record(meter: Meter, render: () => void): Written | undefined {
    const { text, looks, isRecorded } = this;
    const { used } = meter;
    this.text = "";
    this.isRecorded = true;
    try {
      render();
      return this.looks === looks ? { text: this.text, steps: meter.used - used } : undefined;
    } finally {
      this.text = text + this.text;
      this.isRecorded = isRecorded;
    }
  }
}

/** Parts of a response that the load generator needs. */
export interface Answer {
  readonly status: string;
  readonly bodyBytes: number;
  /** Whether the server closes the connection after the response. */
  readonly isLast: boolean;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/** Splits the bytes of one connection into responses. */
export class AnswerReader {
  #pending: Buffer = Buffer.alloc(0);

  /** Adds received bytes.  @returns the responses that are now complete */
  read(chunk: Buffer): readonly Answer[] {
    const answers: Answer[] = [];
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const end = this.#pending.indexOf(HEAD_END);
      if (end < 0) return answers;
      const head = this.#pending.toString("latin1", 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error(`an answer without a length:\n${head}`);
      const responseLength = end + HEAD_END.length + Number(length);
      if (this.#pending.length < responseLength) return answers;
      const isLast = /\r\nconnection: *close/i.test(head);
      answers.push({ status: head.slice(9, 12), bodyBytes: Number(length), isLast });
      this.#pending = this.#pending.subarray(responseLength);
    }
  }
}

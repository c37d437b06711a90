import { maskCount, purposeBit } from "../index/postings.ts";
import { maxNamingFields, type Schema } from "../schema.ts";

/** Points of a word by the fields that it stands in, of those that count in a query. */
export interface FieldPoints {
  /** By field mask (see `packPayload`); 0: it stands in no naming field that counts. */
  readonly byMask: Uint8Array;
  /** In the body; 0: the body does not count. */
  readonly body: number;
  readonly hasTitle: boolean;
  /** All fields count. */
  readonly isAll: boolean;
}

/** What each further field adds to the best one: a word that stands in title and type says more than one that stands in the title alone. */
const furtherFieldFactor = 0.25;

/** The points that a schema gives. */
export class SchemaPoints {
  readonly #schema: Schema;
  readonly #all: FieldPoints;
  readonly #naming: FieldPoints;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#all = { ...this.#make(~0), isAll: true };
    this.#naming = this.#make(~this.#bodyBit);
  }

  /** @param fields fields that count (bit n: field n); absent: all */
  of(fields?: number): FieldPoints {
    return fields === undefined ? this.#all : this.#make(fields);
  }

  /** The same without the body: where every word may be misspelt, some body matches by chance. */
  ofNaming(fields?: number): FieldPoints {
    return fields === undefined ? this.#naming : this.#make(fields & ~this.#bodyBit);
  }

  get #bodyBit(): number {
    return 1 << (this.#schema.fields.length - 1);
  }

  #make(fields: number): FieldPoints {
    const naming = fields & (this.#bodyBit - 1);
    const hasTitle = (fields & 1) === 1;
    // The purpose is part of the title.
    const counted = hasTitle ? naming | (1 << purposeBit) : naming;
    const byMask = new Uint8Array(maskCount);
    for (let mask = 1; mask < maskCount; mask += 1) byMask[mask] = this.#pointsOf(mask & counted);
    const body = (fields & this.#bodyBit) === 0 ? 0 : (this.#schema.fields.at(-1)?.weight ?? 0);
    return { byMask, body, hasTitle, isAll: false };
  }

  #pointsOf(mask: number): number {
    const { fields, purpose } = this.#schema;
    let best = 0;
    let sum = 0;
    for (let bit = 0; bit <= maxNamingFields; bit += 1) {
      if ((mask & (1 << bit)) === 0) continue;
      const weight = bit === purposeBit ? purpose.weight : (fields[bit]?.weight ?? 0);
      best = Math.max(best, weight);
      sum += weight;
    }
    return Math.min(255, Math.round(best + (sum - best) * furtherFieldFactor));
  }
}

import { Drop } from "./drop.ts";

/** The object `self`, which returns a variable by name: `self['a b']`. */
export class VariablesDrop extends Drop {
  readonly #read: (name: string) => unknown;

  constructor(read: (name: string) => unknown) {
    super();
    this.#read = read;
  }

  field(key: string | number): unknown {
    return this.#read(String(key));
  }
}

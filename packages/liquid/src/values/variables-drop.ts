import { Drop } from "./drop.ts";

/** `self['a b']`: returns every variable by name. */
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

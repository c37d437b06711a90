import { Drop } from "./drop.ts";

/** The object `self`, which gives access to variables by name: `self['a b']`. */
export class VariablesDrop extends Drop {
  readonly #readVariable: (name: string) => unknown;

  constructor(readVariable: (name: string) => unknown) {
    super();
    this.#readVariable = readVariable;
  }

  field(key: string | number): unknown {
    return this.#readVariable(String(key));
  }
}

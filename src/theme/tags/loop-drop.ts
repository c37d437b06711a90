import { BareDrop, hideInherited } from "../objects/template-object.ts";

/** Goes on to the next item; a symbol, so that no template can call it. */
export const advance: unique symbol = Symbol("advance");

/** `forloop`, and `tablerowloop` where there are columns. */
export class LoopDrop extends BareDrop {
  static {
    hideInherited(LoopDrop.prototype);
  }

  readonly #length: number;
  readonly #name: string;
  readonly #parent: LoopDrop | undefined;
  readonly #columns: number | undefined;
  #index = 0;

  constructor(length: number, name: string, { parent, columns }: { parent?: LoopDrop; columns?: number } = {}) {
    super();
    this.#length = length;
    this.#name = name;
    this.#parent = parent;
    this.#columns = columns;
  }

  [advance](): void {
    this.#index += 1;
  }

  override liquidMethodMissing(key: string | number): unknown {
    const rest = this.#length - this.#index;
    switch (key) {
      case "index":
        return this.#index + 1;
      case "index0":
        return this.#index;
      case "rindex":
        return rest;
      case "rindex0":
        return rest - 1;
      case "first":
        return this.#index === 0;
      case "last":
        return rest === 1;
      case "length":
        return this.#length;
      case "name":
        return this.#name;
      case "parentloop":
        return this.#parent;
      default:
        return this.#columns === undefined ? undefined : this.#place(key, this.#columns);
    }
  }

  #place(key: string | number, columns: number): unknown {
    const column = this.#index % columns;
    switch (key) {
      case "col":
        return column + 1;
      case "col0":
        return column;
      case "col_first":
        return column === 0;
      case "col_last":
        return column === columns - 1;
      default:
        return key === "row" ? Math.floor(this.#index / columns) + 1 : undefined;
    }
  }
}

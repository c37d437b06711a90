import { Drop } from "../values/drop.ts";

/** The object `forloop` of a `for` loop. */
export class ForLoop extends Drop {
  /** Index of the current item, starting at 0. */
  index = 0;
  readonly #length: number;
  readonly #name: string;
  /** The enclosing loop, or undefined. */
  readonly parent: ForLoop | undefined;

  constructor(length: number, name: string, parent?: ForLoop) {
    super();
    this.#length = length;
    this.#name = name;
    this.parent = parent;
  }

  override toText(): string {
    return "Liquid::ForloopDrop";
  }

  field(key: string | number): unknown {
    switch (key) {
      case "name":
        return this.#name;
      case "parentloop":
        return this.parent;
      default:
        return readPositionField(key, this.index, this.#length);
    }
  }
}

/** The object `tablerowloop` of a `tablerow` loop. */
export class TableRowLoop extends Drop {
  index = 0;
  readonly #length: number;
  readonly #columns: number;

  /** Creates a loop over table cells.  @param columns number of columns; 0 puts all cells in one row */
  constructor(length: number, columns: number) {
    super();
    this.#length = length;
    this.#columns = columns;
  }

  override toText(): string {
    return "Liquid::TablerowloopDrop";
  }

  /** Column of the current cell, starting at 0. */
  get column(): number {
    return this.#columns > 0 ? this.index % this.#columns : this.index;
  }

  get isEndOfRow(): boolean {
    return this.column + 1 === this.#columns;
  }

  get row(): number {
    return this.#columns > 0 ? Math.floor(this.index / this.#columns) + 1 : 1;
  }

  field(key: string | number): unknown {
    switch (key) {
      case "col":
        return this.column + 1;
      case "col0":
        return this.column;
      case "col_first":
        return this.column === 0;
      case "col_last":
        return this.isEndOfRow;
      case "row":
        return this.row;
      default:
        return readPositionField(key, this.index, this.#length);
    }
  }
}

function readPositionField(key: string | number, index: number, length: number): unknown {
  switch (key) {
    case "index":
      return index + 1;
    case "index0":
      return index;
    case "rindex":
      return length - index;
    case "rindex0":
      return length - index - 1;
    case "first":
      return index === 0;
    case "last":
      return index === length - 1;
    case "length":
      return length;
    default:
      return undefined;
  }
}

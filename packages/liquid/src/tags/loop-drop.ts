import { Drop } from "../values/drop.ts";

/** `forloop` */
export class ForLoop extends Drop {
  /** From 0. */
  place = 0;
  readonly #length: number;
  readonly #name: string;
  /** The enclosing loop. */
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
        return placeField(key, this.place, this.#length);
    }
  }
}

/** `tablerowloop` */
export class TableRowLoop extends Drop {
  place = 0;
  readonly #length: number;
  readonly #columns: number;

  /** @param columns 0: all cells are in one row */
  constructor(length: number, columns: number) {
    super();
    this.#length = length;
    this.#columns = columns;
  }

  override toText(): string {
    return "Liquid::TablerowloopDrop";
  }

  /** From 0. */
  get column(): number {
    return this.#columns > 0 ? this.place % this.#columns : this.place;
  }

  get isEndOfRow(): boolean {
    return this.column + 1 === this.#columns;
  }

  get row(): number {
    return this.#columns > 0 ? Math.floor(this.place / this.#columns) + 1 : 1;
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
        return placeField(key, this.place, this.#length);
    }
  }
}

function placeField(key: string | number, place: number, length: number): unknown {
  switch (key) {
    case "index":
      return place + 1;
    case "index0":
      return place;
    case "rindex":
      return length - place;
    case "rindex0":
      return length - place - 1;
    case "first":
      return place === 0;
    case "last":
      return place === length - 1;
    case "length":
      return length;
    default:
      return undefined;
  }
}

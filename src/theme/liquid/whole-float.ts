import { BareDrop, hideInherited } from "../objects/template-object.ts";

/** A number with a fraction, as Liquid has them: a whole one stays one, prints "2.0" and divides with a fraction. */
export function floatOf(value: number): number | WholeFloat {
  return Number.isInteger(value) ? new WholeFloat(value) : value;
}

/** `2.0`, which JavaScript cannot tell from `2`. */
export class WholeFloat extends BareDrop {
  static {
    hideInherited(WholeFloat.prototype);
    Object.defineProperty(WholeFloat.prototype, "valueOf", { value: written });
  }

  readonly number: number;

  constructor(number: number) {
    super();
    this.number = number;
  }

  override [Symbol.toPrimitive](): string {
    return `${this.number}.0`;
  }
}

function written(this: WholeFloat): string {
  return `${this.number}.0`;
}

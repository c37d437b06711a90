/** A square of numbers, row by row. */
export interface Field {
  readonly size: number;
  readonly values: Float32Array;
}

export function field(size: number): Field {
  return { size, values: new Float32Array(size * size) };
}

/** How far each point that is set lies from the nearest that is not, in points (Felzenszwalb and Huttenlocher).
 *  @param isSet 0 to 1; from a half on it counts */
export function distances({ size, values }: Field): Field {
  const result = field(size);
  const squares = result.values;
  const far = size * size * 2;
  for (let index = 0; index < values.length; index += 1) squares[index] = values[index]! >= 0.5 ? far : 0;
  const line = new Float32Array(size);
  const hull = new Int32Array(size);
  const edges = new Float32Array(size + 1);
  for (let column = 0; column < size; column += 1) lowest(squares, column, size, size, line, hull, edges);
  for (let row = 0; row < size; row += 1) lowest(squares, row * size, 1, size, line, hull, edges);
  for (let index = 0; index < squares.length; index += 1) squares[index] = Math.sqrt(squares[index]!);
  return result;
}

/** The lower envelope of parabolas that stand on a line's values. */
function lowest(
  values: Float32Array,
  start: number,
  step: number,
  count: number,
  line: Float32Array,
  hull: Int32Array,
  edges: Float32Array,
): void {
  for (let at = 0; at < count; at += 1) line[at] = values[start + at * step]!;
  let top = 0;
  hull[0] = 0;
  edges[0] = Number.NEGATIVE_INFINITY;
  edges[1] = Number.POSITIVE_INFINITY;
  for (let at = 1; at < count; at += 1) {
    let edge = crossing(line, at, hull[top]!);
    while (edge <= edges[top]!) {
      top -= 1;
      edge = crossing(line, at, hull[top]!);
    }
    top += 1;
    hull[top] = at;
    edges[top] = edge;
    edges[top + 1] = Number.POSITIVE_INFINITY;
  }
  top = 0;
  for (let at = 0; at < count; at += 1) {
    while (edges[top + 1]! < at) top += 1;
    const away = at - hull[top]!;
    values[start + at * step] = away * away + line[hull[top]!]!;
  }
}

function crossing(line: Float32Array, a: number, b: number): number {
  return (line[a]! + a * a - line[b]! - b * b) / (2 * a - 2 * b);
}

/** Softened by three box filters, close to a Gaussian. @param radius points */
export function blurred(source: Field, radius: number): Field {
  const { size } = source;
  let from = source.values;
  const result = field(size);
  const other = new Float32Array(from.length);
  for (let pass = 0; pass < 3; pass += 1) {
    boxLines(from, other, size, radius, 1, size);
    boxLines(other, result.values, size, radius, size, 1);
    from = result.values;
  }
  return result;
}

function boxLines(
  from: Float32Array,
  to: Float32Array,
  size: number,
  radius: number,
  step: number,
  between: number,
): void {
  const width = radius * 2 + 1;
  for (let line = 0; line < size; line += 1) {
    const start = line * between;
    const last = size - 1;
    let sum = 0;
    for (let at = -radius; at <= radius; at += 1) sum += from[start + Math.min(last, Math.max(0, at)) * step]!;
    for (let at = 0; at < size; at += 1) {
      to[start + at * step] = sum / width;
      sum += from[start + Math.min(last, at + radius + 1) * step]! - from[start + Math.max(0, at - radius) * step]!;
    }
  }
}

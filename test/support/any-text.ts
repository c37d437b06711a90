import fc, { type StringConstraints } from "fast-check";

// `unit: "binary"` of fast-check lists all code points first, which takes seconds in each process.
const codePoint = fc.nat(0x10_ff_ff).map((code) => String.fromCodePoint(code));

/** Returns texts of any code points, including unpaired surrogates. */
export function anyText(constraints: Omit<StringConstraints, "unit"> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint });
}

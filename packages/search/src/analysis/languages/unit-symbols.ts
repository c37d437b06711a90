/** The units that the search knows; see the table in `analysis/units.ts`. */
export type UnitSymbol =
  | ("mm" | "cm" | "m" | "km" | "inch" | "ft" | "yd")
  | ("ml" | "cl" | "dl" | "l" | "m3" | "floz" | "pt" | "qt" | "gal")
  | ("mg" | "g" | "kg" | "oz" | "lb")
  | ("cm2" | "m2" | "sqin" | "sqft" | "cuin" | "cuft" | "cuyd")
  | ("w" | "kw" | "hp" | "btu" | "va" | "kva" | "wh" | "kwh" | "v" | "kv" | "ma" | "a" | "mah" | "ah" | "ohm")
  | ("mb" | "gb" | "tb" | "hz" | "khz" | "mhz" | "ghz" | "mp" | "rpm")
  | ("lm" | "k" | "psi" | "bar" | "db" | "awg" | "deg" | "percent" | "h" | "pc");

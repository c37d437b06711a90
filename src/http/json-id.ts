/** An id as JSON shows it: a number where it is written like one, as themes compare it with `parseInt`; else the text itself. */
export function jsonId(id: string): number | string {
  return /^(?:0|[1-9]\d{0,15})$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

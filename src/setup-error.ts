/** Something the merchant can put right: the message says what is wrong, where, and what to do next. Printed without a stack. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

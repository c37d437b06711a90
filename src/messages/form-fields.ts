import type { MessageKey } from "./messages.ts";

/** Names of the fields of forms in most themes. Other fields are shown by their names in the form. */
export const formFieldNames: ReadonlyMap<string, MessageKey> = new Map([
  ["name", "fields.author"],
  ["author", "fields.author"],
  ["email", "fields.email"],
  ["body", "fields.body"],
]);

// Converts groceries of Austrian, German and Slovenian shops. They have only names, most with the pack size. The id of
// a product is its line number, from 1.
import { convertLines } from "./source-lines.ts";

interface Source {
  readonly name: string;
  readonly price: number;
}

let line = 0;
await convertLines<Source>("heissepreise-de-sl-30k.jsonl", ({ name, price }, handle) => {
  line += 1;
  if (name.trim() === "") return undefined;
  return {
    kind: "product",
    id: line,
    handle: handle(name),
    title: name.trim(),
    variants: [{ price: Math.max(0, Math.round(price * 100)) }],
  };
});

// Converts a fashion catalog with short titles, and attributes that shoppers use in queries. Ids are unchanged.
import { readLines } from "../../src/import/formats/lines.ts";
import { createHandles, paths, writeRows } from "./source-lines.ts";

const { from, to } = paths("fashion-styles-44k.csv");
const handle = createHandles();
await writeRows(to, readRows());

async function* readRows(): AsyncGenerator<object> {
  for await (const { line, text = "" } of readLines(from)) {
    // Some names contain unquoted commas, so the name is the rest of the line.
    const cells = text.split(",");
    const title = cells.slice(9).join(",").trim();
    if (line === 1 || title === "") continue;
    const [id, gender = "", category = "", subcategory = "", type = "", colour = "", season = "", , usage = ""] = cells;
    const tags = [gender, category, subcategory, colour, season, usage].filter((tag) => tag !== "" && tag !== "NA");
    yield {
      kind: "product",
      id: Number(id),
      handle: handle(title),
      title,
      product_type: type,
      tags: [...new Set(tags)],
      variants: [{ price: 1_000 }],
    };
  }
}

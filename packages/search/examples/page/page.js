// Builds an index in the page at the first visit, saves it in IndexedDB, and searches it as you type.
import { createSearcher, createSegmentBuilder, loadSegment, saveSegment } from "@vitrine/search";

const titles = ["Red canvas shoes", "Green rain coat", "Shoe polish", "Wool socks", "Rain boots for children"];
const schema = {
  fields: [
    { label: "title", weight: 100, kind: "title" },
    { label: "text", weight: 8, kind: "body" },
  ],
};
const [input, status, list] = ["query", "status", "hits"].map((id) => document.getElementById(id));

const saved = await loadSaved();
const segment = saved ?? build();
if (saved === undefined) await save(saveSegment(segment));
const index = createSearcher(schema).open([segment]);
status.textContent = `${titles.length} documents, ${saved === undefined ? "built" : "loaded"}`;

input.addEventListener("input", () => {
  const hits = index.search({ text: input.value, locale: "en", limits: new Map([[0, 10]]) }).get(0);
  list.replaceChildren(
    ...hits.map(({ externalId }) => {
      const item = document.createElement("li");
      item.textContent = titles[externalId];
      return item;
    }),
  );
});

function build() {
  const builder = createSegmentBuilder(schema, "en");
  titles.forEach((title, externalId) => {
    builder.add({ externalId, locale: "en", fields: [[0, title]] });
  });
  return builder.finish();
}

/** @returns undefined if nothing is saved, or if another version of the package saved it */
async function loadSaved() {
  const bytes = await request("readonly", (store) => store.get("segment"));
  return bytes === undefined ? undefined : loadSegment(bytes);
}

function save(bytes) {
  return request("readwrite", (store) => store.put(bytes, "segment"));
}

async function request(mode, start) {
  const opening = indexedDB.open("search", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("files");
  const database = await resultOf(opening);
  const result = await resultOf(start(database.transaction("files", mode).objectStore("files")));
  database.close();
  return result;
}

function resultOf(one) {
  return new Promise((resolve, reject) => {
    one.onsuccess = () => resolve(one.result);
    one.onerror = () => reject(one.error);
  });
}

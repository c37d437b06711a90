// Builds an index on the first visit of the page, saves it in IndexedDB, and searches it while the user types.
import { createSearcher, createSegmentBuilder, loadSegment, saveSegment } from "@vitrine/search";

const titles = ["Red canvas shoes", "Green rain coat", "Shoe polish", "Wool socks", "Rain boots for children"];
const schema = {
  fields: [
    { label: "title", weight: 100, kind: "title" },
    { label: "text", weight: 8, kind: "body" },
  ],
};
const [input, status, list] = ["query", "status", "hits"].map((id) => document.getElementById(id));

const savedSegment = await loadSegmentFromStore();
const segment = savedSegment ?? buildSegment();
if (savedSegment === undefined) await saveBytes(saveSegment(segment));
const index = createSearcher(schema).open([segment]);
status.textContent = `${titles.length} documents, ${savedSegment === undefined ? "built" : "loaded"}`;

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

function buildSegment() {
  const builder = createSegmentBuilder(schema, "en");
  titles.forEach((title, externalId) => {
    builder.add({ externalId, locale: "en", fields: [[0, title]] });
  });
  return builder.finish();
}

/** Loads the saved segment. Returns undefined if there is none, or if another version of the package saved it. */
async function loadSegmentFromStore() {
  const bytes = await runTransaction("readonly", (store) => store.get("segment"));
  return bytes === undefined ? undefined : loadSegment(bytes);
}

function saveBytes(bytes) {
  return runTransaction("readwrite", (store) => store.put(bytes, "segment"));
}

async function runTransaction(mode, createRequest) {
  const openRequest = indexedDB.open("search", 1);
  openRequest.onupgradeneeded = () => openRequest.result.createObjectStore("files");
  const database = await resultOf(openRequest);
  const result = await resultOf(createRequest(database.transaction("files", mode).objectStore("files")));
  database.close();
  return result;
}

function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Returns the files of a theme whose search page is one section, `main`.  @param liquid text of the section */
export function searchPageOf(liquid: string): Readonly<Record<string, string>> {
  return {
    "sections/found.liquid": liquid,
    "templates/search.json": JSON.stringify({ sections: { main: { type: "found" } }, order: ["main"] }),
  };
}

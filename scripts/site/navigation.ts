import type { Document } from "./document.ts";

export interface NavigationGroup {
  readonly heading: string;
  readonly entries: readonly NavigationEntry[];
}

export interface NavigationEntry {
  readonly label: string;
  /** Path of the document from the root of the repository. */
  readonly source: string;
}

const overview = "docs/README.md";
const decisions = "docs/explanation/decisions/README.md";
/** Path of each project document, by its label. */
const project = {
  README: "README.md",
  Architecture: "ARCHITECTURE.md",
  Contributing: "CONTRIBUTING.md",
  Changelog: "CHANGELOG.md",
  "OpenAPI file": "openapi.yaml",
};

/** Derives the sidebar from the lists and tables of the overview and of the decisions, so that both always agree. */
export function navigationOf(documents: ReadonlyMap<string, Document>): readonly NavigationGroup[] {
  const groups = [...Map.groupBy(entriesOf(documents, overview), ({ heading }) => heading)].map(
    ([heading, entries]) => ({ heading, entries }),
  );
  const projectLinks = Object.entries(project).map(([label, source]) => ({ label, source }));
  return [
    ...groups,
    { heading: "Decisions", entries: entriesOf(documents, decisions) },
    { heading: "Project", entries: projectLinks.filter(({ source }) => documents.has(source)) },
  ];
}

function entriesOf(
  documents: ReadonlyMap<string, Document>,
  source: string,
): readonly (NavigationEntry & { readonly heading: string })[] {
  return (documents.get(source)?.links ?? [])
    .filter(({ isFirst, target, anchor }) => isFirst && anchor === "" && /^docs\/.*\.md$/.test(target))
    .map(({ text, target, heading }) => ({ label: text, source: target, heading }));
}

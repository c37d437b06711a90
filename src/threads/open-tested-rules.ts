import type { RulesTest } from "../console/console.ts";
import { joinSynonyms } from "../predictive-search/rules/rules-folder.ts";
import { HOUR_MS } from "../runtime/durations.ts";
import type { TestedRules } from "../signals/signals.ts";
import type { SnapshotContent } from "../snapshot/feed.ts";
import { createAssembler } from "../snapshot/snapshot.ts";
import type { OpenStore } from "./open-store.ts";

/**
 * Returns a function that returns the draft of the search rules under test, with a search index that uses the draft's
 * synonyms. The function returns undefined if no test runs, or if the rules come from files.
 * @param parts.getCurrentTest returns the running test
 */
export function openTestedRules(
  parts: Pick<OpenStore, "config" | "stock" | "rulesFolder" | "now"> & {
    readonly getSnapshotParts: () => SnapshotContent;
    readonly getCurrentTest: () => RulesTest | undefined;
  },
): () => TestedRules | undefined {
  const { config, stock, rulesFolder, getSnapshotParts, getCurrentTest, now } = parts;
  let loadedTest: LoadedRulesTest | undefined;
  return () => {
    const runningTest = getCurrentTest();
    if (runningTest === undefined || now() >= runningTest.endsAt || rulesFolder.fileTexts() !== undefined) {
      loadedTest = undefined;
      return undefined;
    }
    const snapshotContent = getSnapshotParts();
    const hour = Math.floor(now() / HOUR_MS);
    const previousTest = loadedTest?.testedRules.id === runningTest.id ? loadedTest : undefined;
    if (previousTest?.snapshotContent === snapshotContent && previousTest.hour === hour)
      return previousTest.testedRules;
    const rules = rulesFolder.preview(runningTest.texts);
    const synonyms = joinSynonyms(config.search.synonyms, () => rules)();
    // The draft uses its own function to create snapshots, so that it does not share search caches with the published
    // rules.
    const assembleSnapshot = previousTest?.assembler ?? createAssembler(() => {}, config, stock);
    const { index } = assembleSnapshot({ ...snapshotContent, synonyms });
    loadedTest = {
      snapshotContent,
      hour,
      assembler: assembleSnapshot,
      testedRules: { id: runningTest.id, index, rules },
    };
    return loadedTest.testedRules;
  };
}

interface LoadedRulesTest {
  readonly snapshotContent: SnapshotContent;
  /** Hours since 1970. */
  readonly hour: number;
  readonly assembler: ReturnType<typeof createAssembler>;
  readonly testedRules: TestedRules;
}

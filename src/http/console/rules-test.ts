import type { RulesTest, TestOutcome } from "../../console/console.ts";
import type { ConsoleMessageKey } from "../../console/console-messages.ts";
import { combineVerdicts, judgeRulesTest } from "../../console/verdict.ts";
import { Problem } from "../../problem.ts";
import { type ConsoleServices, type ConsoleVisit, type FormVisit, renderForm } from "./console-page.ts";
import type { ConsoleTexts } from "./console-texts.ts";
import { type Markup, markup } from "./markup.ts";
import { parseRevision } from "./rule-forms.ts";

/** Renders the running test of the draft search rules with shoppers: its result so far, and buttons to end it. */
export async function renderRulesTest(
  { console, config }: ConsoleServices,
  { session, request, texts }: ConsoleVisit,
): Promise<Markup | false> {
  const runningTest = await console.drafts.getRunningTest();
  if (runningTest === undefined) return false;
  const buttons = outcomes.map(({ outcome, label, style }) => {
    const hiddenFields = markup`<input type="hidden" name="test" value="${runningTest.id}"><input type="hidden" name="outcome" value="${outcome}">`;
    return renderForm(session, "/admin/rules/test/end", [
      hiddenFields,
      markup`<button${style !== "" && markup` class="${style}"`}>${texts.get(label)}</button>`,
    ]);
  });
  const [start, end] = [runningTest.startedAt, runningTest.endsAt].map((time) =>
    texts.formatDay(time, config.timezone),
  ) as [string, string];
  const period =
    request.now < runningTest.endsAt ? texts.get("test.running", { start, end }) : texts.get("test.ended", { end });
  return markup`<section class="panel draft" id="test"><h2>${texts.get("rules.test")}</h2><p>${period}</p>${await renderResult(console, texts, runningTest)}<div class="row">${buttons}</div></section>`;
}

const outcomes: readonly {
  readonly outcome: TestOutcome;
  readonly label: ConsoleMessageKey;
  readonly style: string;
}[] = [
  { outcome: "publish", label: "test.publish", style: "" },
  { outcome: "stop", label: "test.stop", style: "plain" },
  { outcome: "discard", label: "test.discard", style: "plain" },
];

async function renderResult(
  { drafts }: ConsoleServices["console"],
  texts: ConsoleTexts,
  { id }: RulesTest,
): Promise<Markup> {
  const counts = await drafts.readPreferences(id);
  const comparisons = [
    { name: texts.get("searches.addedToCart"), sides: counts.added },
    { name: texts.get("test.ordered"), sides: counts.ordered },
  ].map(({ name, sides }) => ({ name, sides, verdict: sides && judgeRulesTest(sides) }));
  const testWinner = combineVerdicts(comparisons.flatMap(({ verdict }) => verdict ?? []));
  const facts = comparisons.map(({ name, sides, verdict }) => {
    if (sides === undefined || verdict === undefined)
      return markup`<div><dt>${name}</dt><dd>– <small>${texts.get("test.fewNetworks")}</small></dd></div>`;
    const intervalText = texts.get("test.interval", {
      low: texts.formatShare(verdict.low),
      high: texts.formatShare(verdict.high),
      part: sides.draft,
      count: sides.draft + sides.live,
    });
    return markup`<div><dt>${name}</dt><dd>${texts.formatShare(verdict.share)} <small>${intervalText}</small></dd></div>`;
  });
  return markup`<p role="status"><b>${texts.get(testWinner === undefined ? "test.noVerdict" : verdictSentences[testWinner])}</b></p>
<p>${texts.get("test.share")}</p>
<dl class="facts">${facts}</dl>
<p class="muted">${texts.get("test.hint")}</p>`;
}

const verdictSentences = { draft: "test.draftWins", live: "test.liveWins" } as const;

/** Handles `POST /admin/rules/test`: starts a test of the draft search rules with shoppers' searches. */
export async function startRulesTest({ console }: ConsoleServices, { request, form }: FormVisit): Promise<string> {
  const runningTest = await console.drafts.getRunningTest();
  if (runningTest !== undefined && request.now < runningTest.endsAt) return "/admin/rules?done=test_running";
  const isStarted = await console.drafts.startTest(parseRevision(form.revision));
  return `/admin/rules?done=${isStarted ? "test_started" : "changed"}`;
}

/** Handles `POST /admin/rules/test/end`: ends a test, and publishes or discards its rules. */
export async function endRulesTest({ console }: ConsoleServices, { form }: FormVisit): Promise<string> {
  const outcome = outcomes.find((candidate) => candidate.outcome === form.outcome)?.outcome;
  if (outcome === undefined) throw new Problem("bad_request", "Unknown outcome of a test.");
  const isEnded = await console.drafts.endTest(parseRevision(form.test), outcome);
  return `/admin/rules?done=${isEnded ? outcomeNames[outcome] : "test_changed"}`;
}

const outcomeNames: Readonly<Record<TestOutcome, string>> = {
  publish: "published",
  stop: "test_stopped",
  discard: "discarded",
};

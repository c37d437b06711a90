import type { RulesTest, TestOutcome } from "../../console/console.ts";
import { combineVerdicts, computeVerdict } from "../../console/verdict.ts";
import { Problem } from "../../problem.ts";
import { type ConsoleServices, type ConsoleVisit, type FormVisit, formatCount, renderForm } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";
import { parseRevision } from "./rule-forms.ts";

/** Renders the running test of the draft search rules with shoppers: its result so far, and buttons to end it. */
export async function renderRulesTest(
  { console }: ConsoleServices,
  { session, request }: ConsoleVisit,
): Promise<Markup | false> {
  const test = await console.drafts.readTest();
  if (test === undefined) return false;
  const buttons = outcomes.map(({ outcome, label, style }) => {
    const hiddenFields = markup`<input type="hidden" name="test" value="${test.id}"><input type="hidden" name="outcome" value="${outcome}">`;
    return renderForm(session, "/admin/rules/test/end", [
      hiddenFields,
      markup`<button${style !== "" && markup` class="${style}"`}>${label}</button>`,
    ]);
  });
  const period =
    request.now < test.endsAt
      ? markup`<p>Since ${formatDay(test.startedAt)}, shoppers see results of the draft and of the published rules in one list. The test ends on ${formatDay(test.endsAt)}.</p>`
      : markup`<p>The test ended on ${formatDay(test.endsAt)}. Shoppers see the results of the published rules.</p>`;
  return markup`<section class="panel draft" id="test"><h2>Test with shoppers</h2>${period}${await renderResult(console, test)}<div class="row">${buttons}</div></section>`;
}

const outcomes: readonly { readonly outcome: TestOutcome; readonly label: string; readonly style: string }[] = [
  { outcome: "publish", label: "Publish tested rules", style: "" },
  { outcome: "stop", label: "Stop test", style: "plain" },
  { outcome: "discard", label: "Stop test and discard draft", style: "plain" },
];

async function renderResult({ drafts }: ConsoleServices["console"], { id }: RulesTest): Promise<Markup> {
  const counts = await drafts.readPreferences(id);
  const comparisons = [
    { name: "Added to cart", sides: counts.added },
    { name: "Ordered", sides: counts.ordered },
  ].map(({ name, sides }) => ({ name, sides, verdict: sides && computeVerdict(sides) }));
  const winnerOfTest = combineVerdicts(comparisons.flatMap(({ verdict }) => verdict ?? []));
  const facts = comparisons.map(({ name, sides, verdict }) =>
    sides === undefined || verdict === undefined
      ? markup`<div><dt>${name}</dt><dd>– <small>fewer than five networks</small></dd></div>`
      : markup`<div><dt>${name}</dt><dd>${formatShare(verdict.share)} <small>${formatShare(verdict.low)} to ${formatShare(verdict.high)}; ${formatCount(sides.draft)} of ${formatCount(sides.draft + sides.live)} shoppers</small></dd></div>`,
  );
  return markup`<p role="status"><b>${winnerOfTest === undefined ? "No verdict yet." : verdictSentences[winnerOfTest]}</b></p>
<p>Share of the shoppers who chose a result of the draft, with its confidence interval:</p>
<dl class="facts">${facts}</dl>
<p class="muted">The other shoppers chose a result of the published rules. A shopper counts once a day. Both intervals together have a confidence of 95%, however often you look.</p>`;
}

const verdictSentences = {
  draft: "Shoppers prefer the draft.",
  live: "Shoppers prefer the published rules.",
} as const;

function formatShare(value: number): string {
  return `${Math.round(value * 100)}%`;
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Handles `POST /admin/rules/test`: starts a test of the draft search rules with shoppers' searches. */
export async function startRulesTest({ console }: ConsoleServices, { request, form }: FormVisit): Promise<string> {
  const test = await console.drafts.readTest();
  if (test !== undefined && request.now < test.endsAt) return "/admin/rules?done=test_running";
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

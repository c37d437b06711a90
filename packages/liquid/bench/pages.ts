// Benchmarks this engine against LiquidJS: a list, a page with snippets, a text without loops, and parsing. Both
// engines must print the same. They run alternately in one process, and only the CPU time of the thread counts.
// Consecutive renders get different data, so that caching the last result does not help.
//   node packages/liquid/bench/pages.ts [--record]

import assert from "node:assert/strict";
import { Liquid } from "liquidjs";
import { recordRows, today } from "../../../bench/results.ts";
import { createEngine } from "../src/engine.ts";
import { median } from "./plain-sections.ts";

/** Duration in milliseconds of one measurement. The engines are measured alternately. */
const TURN_MS = 100;
/** Number of measurements per engine and template. The median counts. */
const TURNS = 15;
/** Number of data sets that the renders alternate between. */
const VARIANTS = 32;

const templates: Readonly<Record<string, string>> = {
  "list of 50 rows":
    "<table>{% for p in products %}<tr class=\"{% cycle 'odd', 'even' %}\"><td>{{ forloop.index }}</td>" +
    "<td>{{ p.title | escape }}</td><td>{{ p.vendor | upcase | truncate: 12 }}</td><td>{{ p.price | times: 3 | minus: 7 }}</td>" +
    "<td>{% if p.available and p.price > 1000 %}yes{% elsif p.price == 0 %}free{% else %}no{% endif %}</td></tr>{% endfor %}</table>",
  "page of 24 cards, each a snippet":
    "{% assign shown = products | where: 'available', true %}{% capture head %}<h1>{{ title | escape }} ({{ shown.size }})</h1>{% endcapture %}" +
    "{{ head }}{% for p in products limit: 24 %}{% render 'card', product: p, eager: forloop.first %}{% endfor %}",
  "text without loops":
    "{% assign name = user.name | capitalize %}Dear {{ name }},\n{% case user.kind %}{% when 'new' %}welcome{% when 'old' %}welcome back{% else %}hello{% endcase %}!\n" +
    "You have {{ count }} {% if count == 1 %}message{% else %}messages{% endif %}. {{ products.first.title | append: '!' | replace: 'Coat', 'Hat' }}",
};
const card =
  '<article{% if eager %} data-eager{% endif %}><a href="{{ product.url }}">{{ product.title | escape }}</a>' +
  "{% unless product.available %}<b>sold out</b>{% endunless %}<ul>{% for v in product.variants %}<li>{{ v.title }}: {{ v.price }}</li>{% endfor %}</ul></article>";

const data = Array.from({ length: VARIANTS }, (_, variant) => ({
  title: `Coats & hats ${variant}`,
  count: variant % 3,
  user: { name: `ada ${variant}`, kind: ["new", "old", "other"][variant % 3] },
  products: Array.from({ length: 50 }, (_, index) => ({
    title: `Coat ${index} & hat '${variant}'`,
    vendor: `Vendor ${index} and sons`,
    url: `/products/coat-${index}-${variant}`,
    price: (index * 137 + variant) % 5_000,
    available: (index + variant) % 4 !== 0,
    variants: ["S", "M", "L"].map((title) => ({ title, price: 1_250 + index + variant })),
  })),
}));

const engine = createEngine();
const liquidJs = new Liquid({ templates: { card }, cache: true, jsTruthy: false });
const parsedCard = engine.parse(card, "card");
const options = { partial: () => parsedCard };

const rows: string[][] = [];
for (const [name, source] of Object.entries(templates)) {
  const template = engine.parse(source);
  const liquidJsTemplate = liquidJs.parse(source);
  compare(
    name,
    (variables) => template.render(variables, options),
    (variables) => liquidJs.renderSync(liquidJsTemplate, variables) as string,
  );
}
const allTemplates = Object.values(templates).join("");
compare(
  `parsing ${allTemplates.length} characters`,
  () => engine.parse(allTemplates).text,
  () => (liquidJs.parse(allTemplates).length > 0 ? allTemplates : ""),
);
if (process.argv.includes("--record")) recordRows("## pages.ts", rows, new URL("./results.md", import.meta.url));

type Render = (variables: Record<string, unknown>) => string;

function compare(name: string, renderOurs: Render, renderTheirs: Render): void {
  for (const variables of data)
    assert.ok(renderOurs(variables) === renderTheirs(variables), `${name}: the outputs differ`);
  const times = { ours: [] as number[], theirs: [] as number[] };
  timeOf(renderTheirs);
  timeOf(renderOurs);
  for (let turn = 0; turn < TURNS; turn += 1) {
    times.ours.push(timeOf(renderOurs));
    times.theirs.push(timeOf(renderTheirs));
  }
  const ratio = median(times.ours.map((time, turn) => (times.theirs[turn] as number) / time));
  const row = [name, `${median(times.ours).toFixed(1)} µs`, `${median(times.theirs).toFixed(1)} µs`, ratio.toFixed(1)];
  rows.push([...today(), ...row]);
  process.stdout.write(`| ${row.join(" | ")} |\n`);
}

/** Measures the CPU time of one render, in microseconds. */
function timeOf(render: Render): number {
  const end = performance.now() + TURN_MS;
  const start = process.threadCpuUsage();
  let count = 0;
  for (; performance.now() < end; count += 1) render(data[count % VARIANTS] as Record<string, unknown>);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / count;
}

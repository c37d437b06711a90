import assert from "node:assert/strict";

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Parses the text format of Prometheus.
 * @throws Error if the text is invalid
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function parsePrometheus(text: string): ReadonlyMap<string, Family> {
  assert.ok(text.endsWith("\n"), "the last line ends with a line feed");
  const families = new Map<string, { name: string; type: string; samples: Sample[] }>();
  const helped = new Set<string>();
  const series = new Set<string>();
  let current: { name: string; type: string; samples: Sample[] } | undefined;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const help = /^# HELP (\S+) (?:[^\\]|\\\\|\\n)*$/.exec(line)?.[1];
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line) ?? [];
    if (help !== undefined) {
      assert.ok(!helped.has(help), `${help} is explained twice`);
      helped.add(help);
    } else if (typed !== undefined && type !== undefined) {
      assert.match(typed, /^[a-zA-Z_:][a-zA-Z0-9_:]*$/);
      assert.ok(!families.has(typed), `${typed} comes twice`);
      current = { name: typed, type, samples: [] };
      families.set(typed, current);
    } else {
      const sample = parseSample(line);
      const suffixes = current?.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      assert.ok(
        suffixes.some((suffix) => sample.name === `${current?.name}${suffix}`),
        `${line} stands under ${current?.name}`,
      );
      const id = sample.name + JSON.stringify(Object.entries(sample.labels).sort());
      assert.ok(!series.has(id), `${line} comes twice`);
      series.add(id);
      current?.samples.push(sample);
    }
  }
  for (const family of families.values()) {
    assert.ok(helped.has(family.name), `${family.name} has no help`);
    if (family.type === "histogram") checkHistogram(family);
  }
  return families;
}

/** Returns the value of one series, or 0 if it is missing. */
export function seriesValue(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Sample["labels"] = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""));
  assert.ok(family !== undefined, `there is no ${name}`);
  const expectedLabels = JSON.stringify(Object.entries(labels).sort());
  const found = family.samples.find(
    (sample) => sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === expectedLabels,
  );
  return found?.value ?? 0;
}

function parseSample(line: string): Sample {
  const [, name, inside = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  assert.ok(name !== undefined && value !== undefined, `cannot be read: ${line}`);
  assert.match(value, /^([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|[-+]?inf|nan)$/i, line);
  const labels: Record<string, string> = {};
  const pattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\["\\n])*)"(,|$)/y;
  while (pattern.lastIndex < inside.length) {
    const [, label, text = ""] = pattern.exec(inside) ?? [];
    assert.ok(label !== undefined && labels[label] === undefined, `wrong labels: ${line}`);
    labels[label] = text.replaceAll(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one));
  }
  return { name, labels, value: Number(value.replace(/inf/i, "Infinity")) };
}

/** Asserts that buckets of each series are cumulative, and that the last one equals the count. */
function checkHistogram({ name, samples }: Family): void {
  const groups = new Map<string, { last: number; bound: number; count?: number; hasSum: boolean }>();
  for (const sample of samples) {
    const { le, ...labels } = sample.labels;
    const id = JSON.stringify(Object.entries(labels).sort());
    const group = groups.get(id) ?? { last: 0, bound: Number.NEGATIVE_INFINITY, hasSum: false };
    groups.set(id, group);
    if (sample.name === `${name}_sum`) group.hasSum = true;
    else if (sample.name === `${name}_count`) group.count = sample.value;
    else {
      const bound = Number(le?.replace("+Inf", "Infinity"));
      assert.ok(bound > group.bound && sample.value >= group.last, `${name} ${id} le=${le}`);
      Object.assign(group, { bound, last: sample.value });
    }
  }
  for (const [id, { last, bound, count, hasSum }] of groups)
    assert.ok(bound === Number.POSITIVE_INFINITY && count === last && hasSum, `${name} ${id}`);
}

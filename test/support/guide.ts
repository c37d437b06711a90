/** A page whose code blocks are run in order by a test:
 *
 *     ```sh                   commands, one a line; `sh no-run` is only shown
 *     ```text                 after `sh`: the output of its last command, where "…" stands for any text
 *     ```json file=a.jsonl    a file to write
 *     ```diff file=a.ts       lines of a file to replace: "-" by "+", ignoring indentation
 *     <!-- page /about: "Who we are" -->   a check: text of a page, `suggests`, `log`, or a check of the test by name
 */
export type Step = { readonly line: number } & (
  | { readonly kind: "command"; readonly command: string; readonly output: string }
  | { readonly kind: "file"; readonly file: string; readonly text: string }
  | {
      readonly kind: "edit";
      readonly file: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }
  | { readonly kind: "look"; readonly name: string; readonly what: string }
);

export function readGuide(text: string): readonly Step[] {
  const pattern = /^( *)```(\w+)?([^\n]*)\n([\s\S]*?)^ *```$|^ *<!-- (\w+) ([\s\S]*?) -->$/gm;
  const steps: Step[] = [];
  for (const match of text.matchAll(pattern)) {
    const [, indent = "", language, info = "", indented = "", name, what = ""] = match;
    const body = indented.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    const line = text.slice(0, match.index).split("\n").length;
    const [, file] = / file=(\S+)/.exec(info) ?? [];
    const last = steps.at(-1);
    if (name !== undefined) steps.push({ line, kind: "look", name, what });
    else if (language === "sh" && !info.includes("no-run")) steps.push(...commandsOf(body, line));
    else if (language === "text" && file === undefined) {
      if (last?.kind === "command") steps[steps.length - 1] = { ...last, output: body.trimEnd() };
    } else if (file !== undefined && language !== "diff") steps.push({ line, kind: "file", file, text: body });
    else if (file !== undefined) {
      const marked = (mark: string): readonly string[] =>
        body.split("\n").flatMap((one) => (one.startsWith(mark) ? [one.slice(1)] : []));
      steps.push({ line, kind: "edit", file, before: marked("-"), after: marked("+") });
    }
  }
  return steps;
}

function commandsOf(body: string, line: number): readonly Step[] {
  const commands = body.split("\n").filter((command) => command !== "");
  return commands.map((command) => ({ line, kind: "command", command, output: "" }));
}

/**
 * Replaces lines of a text.
 * @param before adjacent lines of the text, compared without indentation
 * @returns undefined unless there is exactly one match
 */
export function withEdit(text: string, before: readonly string[], after: readonly string[]): string | undefined {
  const lines = text.split("\n");
  const expected = before.map((one) => one.trim());
  const places = lines.flatMap((_, at) =>
    expected.every((one, index) => lines[at + index]?.trim() === one) ? [at] : [],
  );
  const [at] = places;
  if (at === undefined || places.length > 1) return undefined;
  return [...lines.slice(0, at), ...after, ...lines.slice(at + expected.length)].join("\n");
}

/** Returns a pattern of a command's output. "…" matches any text; alone on a line, any lines. */
export function outputPattern(output: string): RegExp {
  const parts = output.split(/^…\n|…/m).map((part) => RegExp.escape(part));
  return new RegExp(`^\\s*${parts.join("[\\s\\S]*?")}\\s*$`);
}

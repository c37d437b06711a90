/** A document that is followed step by step: its blocks of code, and what it asks the test to look at, in their order.
 *
 *     ```console              lines that begin with "$ " are typed; what follows them is written, where "…" stands for anything
 *     ```json file=a.jsonl    a file that is written
 *     ```diff file=a.ts       lines of a file ("-") in whose place others stand ("+"); indents do not count
 *     <!-- page /about: "Who we are" -->   what a reader sees in the browser; so `log:`, and others by name
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
  const pattern = /^```(\w+)?([^\n]*)\n([\s\S]*?)^```$|^<!-- (\w+) ([\s\S]*?) -->$/gm;
  return [...text.matchAll(pattern)].flatMap((match): readonly Step[] => {
    const [, language, info = "", body = "", name, what = ""] = match;
    const line = text.slice(0, match.index).split("\n").length;
    if (name !== undefined) return [{ line, kind: "look", name, what }];
    if (language === "console") return commandsOf(body, line);
    const [, file] = / file=(\S+)/.exec(info) ?? [];
    if (file === undefined) return [];
    if (language !== "diff") return [{ line, kind: "file", file, text: body }];
    const lines = body.split("\n").filter((one) => one !== "");
    const marked = (mark: string): readonly string[] =>
      lines.filter((one) => one.startsWith(mark)).map((one) => one.slice(1));
    return [{ line, kind: "edit", file, before: marked("-"), after: marked("+") }];
  });
}

function commandsOf(body: string, line: number): readonly Step[] {
  return body
    .split(/^(?=\$ )/m)
    .filter((part) => part.startsWith("$ "))
    .map((part) => {
      const [command = "", ...output] = part.slice(2).trimEnd().split("\n");
      return { line, kind: "command", command, output: output.join("\n") };
    });
}

/** @param lines that stand together in the text, whatever their indents  @returns undefined where they do not, or more than once */
export function withEdit(text: string, before: readonly string[], after: readonly string[]): string | undefined {
  const lines = text.split("\n");
  const wanted = before.map((one) => one.trim());
  const places = lines.flatMap((_, at) =>
    wanted.every((one, index) => lines[at + index]?.trim() === one) ? [at] : [],
  );
  const [at] = places;
  if (at === undefined || places.length > 1) return undefined;
  return [...lines.slice(0, at), ...after, ...lines.slice(at + wanted.length)].join("\n");
}

/** What a command is to write. "…" stands for anything, on a line of its own for lines. */
export function outputPattern(output: string): RegExp {
  const parts = output.split(/^…\n|…/m).map((part) => RegExp.escape(part));
  return new RegExp(`^\\s*${parts.join("[\\s\\S]*?")}\\s*$`);
}

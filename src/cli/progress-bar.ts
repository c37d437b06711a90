import { SingleBar } from "cli-progress";
import type { CommandIo } from "./io.ts";

/**
 * Starts a progress bar if stderr is a terminal.
 * @param format text with the placeholders of cli-progress, such as "[{bar}] {percentage}%"
 * @param values values of further placeholders
 */
export function startProgressBar(
  { stderr }: CommandIo,
  format: string,
  total: number,
  values?: Readonly<Record<string, string>>,
): SingleBar | undefined {
  if (!("isTTY" in stderr) || stderr.isTTY !== true) return undefined;
  const progressBar = new SingleBar({ stream: stderr, format, hideCursor: true });
  progressBar.start(total, 0, values);
  return progressBar;
}

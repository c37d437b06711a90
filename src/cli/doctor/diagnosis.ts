import { explainFileError } from "../../setup-error.ts";

/** Result of a check of an installation. */
export interface CheckResult {
  /** With an error, the store cannot be served. */
  readonly severity: "ok" | "warning" | "error";
  /** If the check succeeded, facts such as the free disk space. Otherwise, the problem and the next step. */
  readonly message: string;
}

/** The name of a check, such as "disk", and its result. */
export type Diagnosis = readonly [checkName: string, result: CheckResult];

export function createSuccess(message = ""): CheckResult {
  return { severity: "ok", message };
}

export function createWarning(message: string): CheckResult {
  return { severity: "warning", message };
}

export function createFailure(error: unknown): CheckResult {
  const message = explainFileError(error) ?? (error instanceof Error ? error.message : String(error));
  return { severity: "error", message };
}

/** Formats a result as one line, such as "disk: warning: 12 MB are free …". */
export function formatResult(checkName: string, { severity, message }: CheckResult): string {
  if (severity === "ok") return message === "" ? `${checkName}: ok` : `${checkName}: ok (${message})`;
  return `${checkName}: ${severity}: ${message.replaceAll("\n", " ")}`;
}

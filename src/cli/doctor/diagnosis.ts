import { explainFileError } from "../../setup-error.ts";

/** Result of one check of an installation. */
export interface Diagnosis {
  readonly check: string;
  /** Severity of the result. With an error, the store cannot be served. */
  readonly severity: "ok" | "warning" | "error";
  /** If the check succeeded, facts such as the free disk space. Otherwise, the problem and the next step. */
  readonly message: string;
}

export function createOkDiagnosis(checkName: string, message = ""): Diagnosis {
  return { check: checkName, severity: "ok", message };
}

export function createWarning(checkName: string, message: string): Diagnosis {
  return { check: checkName, severity: "warning", message };
}

export function createFailureDiagnosis(checkName: string, error: unknown): Diagnosis {
  const message = explainFileError(error) ?? (error instanceof Error ? error.message : String(error));
  return { check: checkName, severity: "error", message };
}

/** Formats a result as one line, such as "disk: warning: 12 MB are free …". */
export function formatDiagnosis({ check, severity, message }: Diagnosis): string {
  if (severity === "ok") return message === "" ? `${check}: ok` : `${check}: ok (${message})`;
  return `${check}: ${severity}: ${message.replaceAll("\n", " ")}`;
}

/** Files with a defect that exports of shop systems, saved spreadsheets, or edits by hand have. */
export interface MalformedExport {
  /** Description of the defect. */
  readonly defect: string;
  /** Names and contents of files that are imported together. */
  readonly files: readonly (readonly [name: string, bytes: Buffer])[];
}

export const utf8 = (text: string): Buffer => Buffer.from(text, "utf8");
export const toLatin1 = (text: string): Buffer => Buffer.from(text, "latin1");
export const entry = (defectName: string, name: string, text: string, encode = utf8): MalformedExport => ({
  defect: defectName,
  files: [[name, encode(text)]],
});

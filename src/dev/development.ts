import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, sep } from "node:path";
import type { CodeGeneration } from "../config/merchant-module.ts";
import type { Finding } from "../theme/check/finding.ts";
import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import type { Theme } from "../theme/theme.ts";
import type { ThemeOptions } from "../theme/theme-loader.ts";
import { handleDevRequest } from "./dev-endpoints.ts";
import {
  type Diagnostic,
  diagnosticOfError,
  diagnosticOfMessage,
  diagnosticsOfFinding,
  mergeByLocation,
  type ReadText,
} from "./diagnostic.ts";
import { inlineDiagnostic } from "./diagnostic-html.ts";
import { liveTheme } from "./live-theme.ts";
import { createPageStreams } from "./page-streams.ts";
import { createShownPages } from "./shown-pages.ts";

export interface DevelopmentOptions {
  /** Folder of the store. */
  readonly storeDir: string;
  /** Theme folder: its path in messages ("theme"), and its absolute path. */
  readonly theme: { readonly name: string; readonly dir: string };
  /** Version of the merchant's code, which distinguishes this run of the server from earlier runs. */
  readonly code: CodeGeneration;
  /** Whether other machines can see diagnostics. */
  readonly isOpen: boolean;
  /** Called with the changed files of the theme; the list is empty when the theme is first read. */
  readonly onChange: (files: readonly string[]) => void;
  /** Called with all diagnostics whenever they change. */
  readonly onDiagnostics: (diagnostics: readonly Diagnostic[]) => void;
}

/** Development mode of a store: pages show diagnostics and reload changed parts. */
export interface Development {
  readonly code: CodeGeneration;
  readonly theme: Required<Pick<ThemeOptions, "onRevision" | "report" | "showError">>;
  follow(theme: Theme): Theme;
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly onRuleError: (sentence: string) => void;
  readonly onCatalogErrors: (sentences: readonly string[]) => void;
  /** Sets or clears the error in the settings or in the merchant's code. */
  setCodeError(sentence: string | undefined): void;
  /** Clears the diagnostics of the search rules. */
  clearRuleErrors(): void;
  /** Sets the findings of the theme check.  @param findings findings for the current theme */
  setFindings(findings: readonly Finding[]): void;
  /** Reloads all open pages. */
  reloadPages(): void;
  close(): void;
}

/** Maximum number of diagnostics of each kind. */
const MAX_DIAGNOSTICS = 50;
const MAX_WARNINGS = 100;

export function createDevelopment(options: DevelopmentOptions): Development {
  const { code, onChange, onDiagnostics, theme: folder } = options;
  const pages = createShownPages(String(code.number));
  /** Errors in the theme files. */
  let broken: readonly Diagnostic[] = [];
  /** Errors that occurred while pages were rendered. */
  let failed: readonly Diagnostic[] = [];
  let findings: readonly Finding[] = [];
  let checked: readonly Diagnostic[] = [];
  let catalogErrors: readonly Diagnostic[] = [];
  let rules: readonly Diagnostic[] = [];
  let settings: readonly Diagnostic[] = [];
  let before: CompiledTheme | undefined;
  const read: ReadText = (file) => {
    const inTheme = file.startsWith(`${folder.name}/`) ? file.slice(folder.name.length + 1) : undefined;
    return textAt(inTheme === undefined ? join(options.storeDir, file) : join(folder.dir, inTheme));
  };
  const all = (): readonly Diagnostic[] => {
    const [errors, warnings] = [checked.filter(isError), checked.filter((one) => !isError(one))];
    const sent = mergeByLocation(settings, errors, broken, failed, catalogErrors, rules);
    return [
      ...sent.slice(0, MAX_DIAGNOSTICS),
      ...mergeByLocation(sent, warnings).slice(sent.length, sent.length + MAX_WARNINGS),
    ];
  };
  const streams = createPageStreams(pages, () => ({ diagnostics: all(), isBehind: broken.length > 0 }));
  let isScheduled = false;
  let sent = "[]";
  const notify = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    // Delayed, so that all diagnostics of one render are sent in one notification.
    setImmediate(() => {
      isScheduled = false;
      const now = JSON.stringify([broken.length > 0, all()]);
      if (now === sent) return;
      sent = now;
      streams.sendDiagnostics();
      onDiagnostics(all());
    });
  };
  const addFailure = (error: unknown): Diagnostic => {
    const diagnostic = diagnosticOfError(error, folder.name, read);
    failed = mergeByLocation(failed, [diagnostic]).slice(-MAX_DIAGNOSTICS);
    notify();
    return diagnostic;
  };
  const setFindings = (next: readonly Finding[]): void => {
    findings = next;
    const known = remembering(read);
    checked = next.flatMap((finding) => diagnosticsOfFinding(finding, folder.name, known)).slice(0, MAX_CHECKED);
    notify();
  };
  return {
    code,
    theme: {
      onRevision(theme, revision) {
        pages.take(theme, revision);
        broken = theme.errors.map((diagnostic) => diagnosticOfError(diagnostic, folder.name, read));
        const changed = before === undefined ? [] : changedFiles(before, theme);
        const hasOtherFiles = changed.some((file) => before?.has(file) !== theme.has(file));
        // A diagnostic without a line is always removed. The next render reports it again if it persists.
        const isStale = ({ file = "", line, message }: Diagnostic): boolean =>
          hasOtherFiles ||
          line === undefined ||
          changed.some((one) => file.endsWith(`/${one}`) || message.includes(one));
        failed = failed.filter((diagnostic) => !isStale(diagnostic));
        before = theme;
        onChange(changed);
        if (changed.length > 0)
          setFindings(findings.filter(({ places }) => !places.some(({ file }) => changed.includes(file))));
        streams.sendAllChanges();
        notify();
      },
      report(error, revision) {
        // Revision 0 is the default theme, whose files are not in the store.
        if (revision > 0) addFailure(error);
      },
      showError: (error) => inlineDiagnostic(diagnosticOfError(error, folder.name, read)),
    },
    follow: (theme) => liveTheme(theme, pages, addFailure),
    handleRequest: (request, response) => handleDevRequest(request, response, options.isOpen, streams),
    onRuleError(sentence) {
      rules = [...rules, diagnosticOfMessage(sentence, read)];
      notify();
    },
    clearRuleErrors() {
      rules = [];
      notify();
    },
    onCatalogErrors(sentences) {
      catalogErrors = sentences.map((sentence) => diagnosticOfMessage(sentence, read));
      notify();
    },
    setCodeError(sentence) {
      settings =
        sentence === undefined ? [] : [diagnosticOfMessage(sentence.replace(options.storeDir + sep, ""), read)];
      notify();
    },
    setFindings,
    reloadPages: streams.reloadAll,
    close: streams.close,
  };
}

/** Maximum number of findings that are converted. Old themes can have thousands of findings. */
const MAX_CHECKED = 500;

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function changedFiles(before: CompiledTheme, now: CompiledTheme): string[] {
  const [old, fresh] = [before.folder.stamps, now.folder.stamps];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((file) => old.get(file) !== fresh.get(file));
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The file was deleted in the meantime, or is a folder. The diagnostic then has no excerpt.
    return undefined;
  }
}

function remembering(read: ReadText): ReadText {
  const known = new Map<string, string | undefined>();
  return (file) => {
    if (!known.has(file)) known.set(file, read(file));
    return known.get(file);
  };
}

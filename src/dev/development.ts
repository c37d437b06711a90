import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, sep } from "node:path";
import type { MerchantCode } from "../config/merchant-module.ts";
import type { Finding } from "../theme/check/finding.ts";
import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import type { Theme } from "../theme/theme.ts";
import type { ThemeOptions } from "../theme/theme-loader.ts";
import { handleDevRequest } from "./dev-endpoints.ts";
import {
  type Diagnostic,
  diagnoseError,
  diagnoseFinding,
  mergeDiagnostics,
  parseDiagnostic,
  type TextReader,
} from "./diagnostic.ts";
import { renderInlineDiagnostic } from "./diagnostic-html.ts";
import { createLiveReloadTheme } from "./live-theme.ts";
import { trackOpenPages } from "./open-pages.ts";
import { createPageStreams } from "./page-streams.ts";

export interface DevelopmentOptions {
  /** Folder of the store. */
  readonly storeDir: string;
  /** Theme folder: its path in messages ("theme"), and its absolute path. */
  readonly theme: { readonly name: string; readonly dir: string };
  /** Version of the merchant's code, which distinguishes this run of the server from earlier runs. */
  readonly code: MerchantCode;
  /** Whether other machines can see diagnostics. */
  readonly allowsNetwork: boolean;
  /** Called with the changed files of the theme; the list is empty when the theme is first read. */
  readonly onChange: (files: readonly string[]) => void;
  /** Called with all diagnostics whenever they change. */
  readonly onDiagnostics: (diagnostics: readonly Diagnostic[]) => void;
}

/** Development mode of a store: pages show diagnostics and reload changed parts. */
export interface DevelopmentMode {
  readonly code: MerchantCode;
  readonly theme: Required<Pick<ThemeOptions, "onRevision" | "report" | "showError">>;
  wrapTheme(theme: Theme): Theme;
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly onRuleError: (sentence: string) => void;
  readonly onCatalogErrors: (sentences: readonly string[]) => void;
  /** Sets or clears the error in the settings or in the merchant's code. */
  setCodeError(sentence: string | undefined): void;
  /** Clears the diagnostics of the search rules. */
  clearRuleErrors(): void;
  /** Replaces the findings of the last theme check. */
  setFindings(findings: readonly Finding[]): void;
  /** Reloads all open pages. */
  reloadPages(): void;
  close(): void;
}

/** Maximum number of diagnostics of each kind. */
const MAX_DIAGNOSTICS = 50;
const MAX_WARNINGS = 100;

export function createDevMode(options: DevelopmentOptions): DevelopmentMode {
  const { code, onChange, onDiagnostics, theme: folder } = options;
  const pages = trackOpenPages(String(code.number));
  /** Errors in the theme files. */
  let themeErrors: readonly Diagnostic[] = [];
  /** Errors that occurred while pages were rendered. */
  let renderingErrors: readonly Diagnostic[] = [];
  let findings: readonly Finding[] = [];
  let themeDiagnostics: readonly Diagnostic[] = [];
  let catalogErrors: readonly Diagnostic[] = [];
  let ruleErrors: readonly Diagnostic[] = [];
  let settingErrors: readonly Diagnostic[] = [];
  let previousTheme: CompiledTheme | undefined;
  const readText: TextReader = (file) => {
    const themeFile = file.startsWith(`${folder.name}/`) ? file.slice(folder.name.length + 1) : undefined;
    return readTextFile(themeFile === undefined ? join(options.storeDir, file) : join(folder.dir, themeFile));
  };
  const listDiagnostics = (): readonly Diagnostic[] => {
    const [errors, warnings] = [
      themeDiagnostics.filter(isErrorDiagnostic),
      themeDiagnostics.filter((diagnostic) => !isErrorDiagnostic(diagnostic)),
    ];
    const mergedDiagnostics = mergeDiagnostics(
      settingErrors,
      errors,
      themeErrors,
      renderingErrors,
      catalogErrors,
      ruleErrors,
    );
    return [
      ...mergedDiagnostics.slice(0, MAX_DIAGNOSTICS),
      ...mergeDiagnostics(mergedDiagnostics, warnings).slice(
        mergedDiagnostics.length,
        mergedDiagnostics.length + MAX_WARNINGS,
      ),
    ];
  };
  const streams = createPageStreams(pages, () => ({
    diagnostics: listDiagnostics(),
    isBehind: themeErrors.length > 0,
  }));
  let isScheduled = false;
  let lastSentMessage = "[]";
  const notifyPages = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    // Delayed, so that all diagnostics of one render are sent in one notification.
    setImmediate(() => {
      isScheduled = false;
      const serializedDiagnostics = JSON.stringify([themeErrors.length > 0, listDiagnostics()]);
      if (serializedDiagnostics === lastSentMessage) return;
      lastSentMessage = serializedDiagnostics;
      streams.sendDiagnostics();
      onDiagnostics(listDiagnostics());
    });
  };
  const addFailure = (error: unknown): Diagnostic => {
    const diagnostic = diagnoseError(error, folder.name, readText);
    renderingErrors = mergeDiagnostics(renderingErrors, [diagnostic]).slice(-MAX_DIAGNOSTICS);
    notifyPages();
    return diagnostic;
  };
  const setFindings = (newFindings: readonly Finding[]): void => {
    findings = newFindings;
    const readCachedText = memoizeReads(readText);
    themeDiagnostics = newFindings
      .flatMap((finding) => diagnoseFinding(finding, folder.name, readCachedText))
      .slice(0, MAX_FINDINGS);
    notifyPages();
  };
  return {
    code,
    theme: {
      onRevision(theme, revision) {
        pages.setTheme(theme, revision);
        themeErrors = theme.errors.map((diagnostic) => diagnoseError(diagnostic, folder.name, readText));
        const changedFileNames = previousTheme === undefined ? [] : listChangedFiles(previousTheme, theme);
        const isFileSetChanged = changedFileNames.some((file) => previousTheme?.has(file) !== theme.has(file));
        // A diagnostic without a line is always removed. The next render reports it again if it persists.
        const isStale = ({ file = "", line, message }: Diagnostic): boolean =>
          isFileSetChanged ||
          line === undefined ||
          changedFileNames.some(
            (changedFileName) => file.endsWith(`/${changedFileName}`) || message.includes(changedFileName),
          );
        renderingErrors = renderingErrors.filter((diagnostic) => !isStale(diagnostic));
        previousTheme = theme;
        onChange(changedFileNames);
        if (changedFileNames.length > 0)
          setFindings(findings.filter(({ places }) => !places.some(({ file }) => changedFileNames.includes(file))));
        streams.sendAllChanges();
        notifyPages();
      },
      report(error, revision) {
        // Revision 0 is the default theme, whose files are not in the store.
        if (revision > 0) addFailure(error);
      },
      showError: (error) => renderInlineDiagnostic(diagnoseError(error, folder.name, readText)),
    },
    wrapTheme: (theme) => createLiveReloadTheme(theme, pages, addFailure),
    handleRequest: (request, response) => handleDevRequest(request, response, options.allowsNetwork, streams),
    onRuleError(sentence) {
      ruleErrors = [...ruleErrors, parseDiagnostic(sentence, readText)];
      notifyPages();
    },
    clearRuleErrors() {
      ruleErrors = [];
      notifyPages();
    },
    onCatalogErrors(sentences) {
      catalogErrors = sentences.map((sentence) => parseDiagnostic(sentence, readText));
      notifyPages();
    },
    setCodeError(sentence) {
      settingErrors =
        sentence === undefined ? [] : [parseDiagnostic(sentence.replace(options.storeDir + sep, ""), readText)];
      notifyPages();
    },
    setFindings,
    reloadPages: streams.reloadPages,
    close: streams.close,
  };
}

/** Maximum number of theme check findings that become diagnostics. Old themes can have thousands of findings. */
const MAX_FINDINGS = 500;

function isErrorDiagnostic({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function listChangedFiles(previousTheme: CompiledTheme, currentTheme: CompiledTheme): string[] {
  const [oldVersions, newVersions] = [previousTheme.folder.versions, currentTheme.folder.versions];
  return [...new Set([...oldVersions.keys(), ...newVersions.keys()])].filter(
    (file) => oldVersions.get(file) !== newVersions.get(file),
  );
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The file was deleted in the meantime, or is a folder. The diagnostic then has no excerpt.
    return undefined;
  }
}

function memoizeReads(readText: TextReader): TextReader {
  const cachedTexts = new Map<string, string | undefined>();
  return (file) => {
    if (!cachedTexts.has(file)) cachedTexts.set(file, readText(file));
    return cachedTexts.get(file);
  };
}

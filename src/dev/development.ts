import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, sep } from "node:path";
import type { CodeGeneration } from "../config/merchant-module.ts";
import type { Finding } from "../theme/check/finding.ts";
import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import type { Theme } from "../theme/theme.ts";
import type { ThemeOptions } from "../theme/theme-loader.ts";
import { answerAside } from "./aside.ts";
import { eachOnce, type Fault, faultOfError, faultOfSentence, faultsOfFinding, type ReadText } from "./fault.ts";
import { faultInPlace } from "./fault-html.ts";
import { followedTheme } from "./followed-theme.ts";
import { createPageStreams } from "./page-streams.ts";
import { createShownPages } from "./shown-pages.ts";

export interface DevelopmentOptions {
  /** Folder of the store. */
  readonly storeDir: string;
  /** Path of the theme in messages ("theme"), and its folder. */
  readonly theme: { readonly name: string; readonly dir: string };
  /** Distinguishes this run of the server from earlier ones. */
  readonly code: CodeGeneration;
  /** Whether other hosts than this machine may see diagnostics. */
  readonly isOpen: boolean;
  /** Receives the changed files of the theme; empty at the first read. */
  readonly onChange: (files: readonly string[]) => void;
  /** Receives the diagnostics whenever they change. */
  readonly onFaults: (faults: readonly Fault[]) => void;
}

/** A store under development: pages show diagnostics and reload changed parts. */
export interface Development {
  readonly code: CodeGeneration;
  readonly theme: Required<Pick<ThemeOptions, "onRevision" | "report" | "showError">>;
  follow(theme: Theme): Theme;
  readonly aside: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly onRuleFault: (sentence: string) => void;
  readonly onCatalogFaults: (sentences: readonly string[]) => void;
  /** Sets the error in the settings or the merchant's code; undefined if there is none. */
  setCodeFault(sentence: string | undefined): void;
  /** Clears the diagnostics of search rules, which are valid now. */
  forgetRuleFaults(): void;
  /** @param findings result of checking the current theme */
  setFindings(findings: readonly Finding[]): void;
  /** Reloads every open page. */
  reloadPages(): void;
  close(): void;
}

/** Maximum number of each kind. */
const MAX_FAULTS = 50;
const MAX_WARNINGS = 100;

export function createDevelopment(options: DevelopmentOptions): Development {
  const { code, onChange, onFaults, theme: folder } = options;
  const pages = createShownPages(String(code.number));
  /** Diagnostics of the theme's files. */
  let broken: readonly Fault[] = [];
  /** Diagnostics of renders. */
  let failed: readonly Fault[] = [];
  let findings: readonly Finding[] = [];
  let checked: readonly Fault[] = [];
  let catalogue: readonly Fault[] = [];
  let rules: readonly Fault[] = [];
  let settings: readonly Fault[] = [];
  let before: CompiledTheme | undefined;
  const read: ReadText = (file) => {
    const inTheme = file.startsWith(`${folder.name}/`) ? file.slice(folder.name.length + 1) : undefined;
    return textAt(inTheme === undefined ? join(options.storeDir, file) : join(folder.dir, inTheme));
  };
  const all = (): readonly Fault[] => {
    const [faults, warnings] = [checked.filter(isFault), checked.filter((one) => !isFault(one))];
    const told = eachOnce(settings, faults, broken, failed, catalogue, rules);
    return [...told.slice(0, MAX_FAULTS), ...eachOnce(told, warnings).slice(told.length, told.length + MAX_WARNINGS)];
  };
  const streams = createPageStreams(pages, () => ({ faults: all(), isBehind: broken.length > 0 }));
  let isTelling = false;
  let told = "[]";
  const tell = (): void => {
    if (isTelling) return;
    isTelling = true;
    // Groups the diagnostics of one render into one notification.
    setImmediate(() => {
      isTelling = false;
      const now = JSON.stringify([broken.length > 0, all()]);
      if (now === told) return;
      told = now;
      streams.tellFaults();
      onFaults(all());
    });
  };
  const note = (error: unknown): Fault => {
    const fault = faultOfError(error, folder.name, read);
    failed = eachOnce(failed, [fault]).slice(-MAX_FAULTS);
    tell();
    return fault;
  };
  const setFindings = (next: readonly Finding[]): void => {
    findings = next;
    const known = remembering(read);
    checked = next.flatMap((finding) => faultsOfFinding(finding, folder.name, known)).slice(0, MAX_CHECKED);
    tell();
  };
  return {
    code,
    theme: {
      onRevision(theme, revision) {
        pages.take(theme, revision);
        broken = theme.errors.map((fault) => faultOfError(fault, folder.name, read));
        const changed = before === undefined ? [] : changedFiles(before, theme);
        const hasOtherFiles = changed.some((file) => before?.has(file) !== theme.has(file));
        // A diagnostic without a line is reported again by the next page if it persists.
        const isStale = ({ file = "", line, message }: Fault): boolean =>
          hasOtherFiles ||
          line === undefined ||
          changed.some((one) => file.endsWith(`/${one}`) || message.includes(one));
        failed = failed.filter((fault) => !isStale(fault));
        before = theme;
        onChange(changed);
        if (changed.length > 0)
          setFindings(findings.filter(({ places }) => !places.some(({ file }) => changed.includes(file))));
        streams.tellChanges();
        tell();
      },
      report(error, revision) {
        // Files of the default theme are not in the store.
        if (revision > 0) note(error);
      },
      showError: (error) => faultInPlace(faultOfError(error, folder.name, read)),
    },
    follow: (theme) => followedTheme(theme, pages, note),
    aside: (request, response) => answerAside(request, response, options.isOpen, streams),
    onRuleFault(sentence) {
      rules = [...rules, faultOfSentence(sentence, read)];
      tell();
    },
    forgetRuleFaults() {
      rules = [];
      tell();
    },
    onCatalogFaults(sentences) {
      catalogue = sentences.map((sentence) => faultOfSentence(sentence, read));
      tell();
    },
    setCodeFault(sentence) {
      settings = sentence === undefined ? [] : [faultOfSentence(sentence.replace(options.storeDir + sep, ""), read)];
      tell();
    },
    setFindings,
    reloadPages: streams.tellReload,
    close: streams.close,
  };
}

/** Older themes can have thousands of findings. */
const MAX_CHECKED = 500;

function isFault({ severity }: Fault): boolean {
  return severity === "fault";
}

function changedFiles(before: CompiledTheme, now: CompiledTheme): string[] {
  const [old, fresh] = [before.folder.stamps, now.folder.stamps];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((file) => old.get(file) !== fresh.get(file));
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Deleted in the meantime, or a folder: the diagnostic has no excerpt.
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

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
  /** The store's folder. */
  readonly storeDir: string;
  /** Path of the theme in messages, and where it lies: "theme". */
  readonly theme: { readonly name: string; readonly dir: string };
  /** Tells this run of the server apart from those before it. */
  readonly code: CodeGeneration;
  /** Hosts other than this machine may look at faults, too. */
  readonly isOpen: boolean;
  /** Told which files of the theme are otherwise; of none where it was first read. */
  readonly onChange: (files: readonly string[]) => void;
  /** Told whenever the faults are others. */
  readonly onFaults: (faults: readonly Fault[]) => void;
}

/** A store as those see it who write its files: what is wrong stands in the page, and what is changed comes into it. */
export interface Development {
  readonly code: CodeGeneration;
  readonly theme: Required<Pick<ThemeOptions, "onRevision" | "report" | "showError">>;
  follow(theme: Theme): Theme;
  readonly aside: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly onRuleFault: (sentence: string) => void;
  readonly onCatalogFaults: (sentences: readonly string[]) => void;
  /** What the settings or the merchant's own code have wrong; undefined: nothing. */
  setCodeFault(sentence: string | undefined): void;
  /** The rules of the search hold as they are now. */
  forgetRuleFaults(): void;
  /** @param findings what the checker says of the theme as it is now */
  setFindings(findings: readonly Finding[]): void;
  /** Every open page is loaded anew. */
  reloadPages(): void;
  close(): void;
}

/** Kept of each kind. */
const MAX_FAULTS = 50;
const MAX_WARNINGS = 100;

export function createDevelopment(options: DevelopmentOptions): Development {
  const { code, onChange, onFaults, theme: folder } = options;
  const pages = createShownPages(String(code.number));
  /** Of the theme's files as they were read. */
  let broken: readonly Fault[] = [];
  /** Of renders. */
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
    // What comes up in one render is told at once.
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
        // What has no line is told again by the next page that lacks it.
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
        // Those of the theme that comes with the server have no file here.
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

/** Findings of a grown theme may be thousands. */
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
    // Gone by now, or a folder: what is said of it stands without its lines.
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

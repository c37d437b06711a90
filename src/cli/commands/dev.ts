import { existsSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { App } from "../../app.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { MerchantCode } from "../../config/merchant-module.ts";
import { createThemeCheckWorker } from "../../dev/check-in-background.ts";
import { isLocalHost } from "../../dev/dev-endpoints.ts";
import { createDevMode, type DevelopmentMode } from "../../dev/development.ts";
import { createDiagnosticPrinter } from "../../dev/diagnostic-printer.ts";
import { pollShopChanges } from "../../dev/watch-shop.ts";
import { loadHooks } from "../../hooks/load-hooks.ts";
import type { Log } from "../../observability/log.ts";
import { poll } from "../../runtime/poll.ts";
import { SetupError } from "../../setup-error.ts";
import { type NamedEntry, removeExistingEntries } from "../../theme/check/finding.ts";
import { getLiveThemesFile, getThemeDir, readLiveThemes } from "../../theme/files/store-themes.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { type CommandIo, enableCodeCache, getPackagePath } from "../io.ts";
import {
  printFirstLogin,
  readHost,
  readPort,
  readServerOptions,
  throwListenError,
  waitForSignal,
} from "../listening.ts";

const usage = `Usage: vitrine dev [dir] [--host H] [--port P] [--network] [--database-url URL]

Serves the store in dir (default: the current folder) for development: errors are shown in the page, and changed files update open
pages. Only for this machine, never for production.
  --host H   address to listen on (default: HOST, or 127.0.0.1)
  --port P   port to listen on (default: PORT, or 3000); 0 selects a free port
  --network  allow other machines, such as a phone; they see theme code in error messages
  --database-url URL  PostgreSQL database, "postgres://…" (default: DATABASE_URL, or the store's SQLite file)
A change of vitrine.config.ts or of hooks restarts the server. SIGTERM, SIGINT, or SIGHUP stops it.`;

const options = { host: text, port: text, "database-url": text, network: flag };

/** Runs `vitrine dev`. Resolves when the server has stopped. */
export const run = defineCommand(usage, options, async ({ values, positionals }, io) => {
  if (positionals.length > 1) throw new UsageError("dev takes one folder.");
  const port = readPort(values.port ?? io.env.PORT ?? "3000");
  const host = readHost(io, values.host);
  const servesNetwork = values.network === true;
  if (io.env.NODE_ENV === "production")
    throw new SetupError(
      'NODE_ENV is "production", and "vitrine dev" shows theme code in errors: use "vitrine serve".',
    );
  if (!servesNetwork && !isLocalHost(host))
    throw new SetupError(
      `${host} is not a loopback address, and "vitrine dev" shows theme code in errors: add --network to allow this.`,
    );
  const storeDir = resolve(io.cwd, positionals[0] ?? ".");
  const databaseUrl = values["database-url"] ?? io.env.DATABASE_URL;
  enableCodeCache(storeDir);
  const signalPromise = waitForSignal(io.env.npm_lifecycle_event !== undefined).then(() => "stopped" as const);
  const startServer = (code: MerchantCode, actualPort: number): Promise<ServerSession> =>
    startSession({ storeDir, code, host, port: actualPort, servesNetwork, databaseUrl, io });
  let session = await startServer({ dir: storeDir, number: 0, files: new Set() }, port);
  io.stdout.write(`Vitrine is serving ${session.app.config.name} for theme development at ${session.url}\n`);
  await printFirstLogin(session.app, session.url, io);
  const actualPort = Number(new URL(session.url).port);
  for (;;) {
    const event = await Promise.race([signalPromise, session.nextCodeVersion]);
    if (event === "stopped") break;
    const { code } = session.development;
    await session.close();
    session = await restartSession(startServer, event, code, actualPort, io);
  }
  await session.close();
  return 0;
});

/**
 * Restarts the server with the changed code. If this fails although the settings are valid, restarts it with the
 * previous code.
 */
async function restartSession(
  startServer: (code: MerchantCode, port: number) => Promise<ServerSession>,
  newCode: MerchantCode,
  oldVersion: MerchantCode,
  port: number,
  io: CommandIo,
): Promise<ServerSession> {
  try {
    const session = await startServer(newCode, port);
    io.stdout.write("The settings have changed: the server has restarted\n");
    return session;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    const session = await startServer({ ...oldVersion, files: new Set([...oldVersion.files, ...newCode.files]) }, port);
    session.development.setCodeError(error.message);
    return session;
  }
}

interface ServerSession {
  readonly app: App;
  readonly url: string;
  readonly development: DevelopmentMode;
  /** Resolves to the new version when the merchant's code has changed and loads without errors. */
  readonly nextCodeVersion: Promise<MerchantCode>;
  close(): Promise<void>;
}

interface SessionOptions {
  readonly storeDir: string;
  readonly code: MerchantCode;
  readonly host: string;
  readonly port: number;
  readonly servesNetwork: boolean;
  readonly databaseUrl: string | undefined;
  readonly io: CommandIo;
}

async function startSession(options: SessionOptions): Promise<ServerSession> {
  const { storeDir, code, host, port, servesNetwork, databaseUrl, io } = options;
  const theme = findTheme(storeDir);
  const printer = createDiagnosticPrinter((line) => io.stdout.write(`${line}\n`));
  const development = createDevMode({
    storeDir,
    theme,
    code,
    allowsNetwork: servesNetwork,
    onChange: () => themeCheck?.run(),
    onDiagnostics: printer,
  });
  let themeCheck: ReturnType<typeof createThemeCheckWorker> | undefined;
  // Closes the session if a later step fails.
  await using cleanup = new AsyncDisposableStack();
  const { createApp } = await import("../../app.ts");
  const app = await createApp({
    storeDir,
    logLevel: "error",
    ...readServerOptions(io, databaseUrl),
    config: {
      // Pages and forms use the address of this server, not that of the public shop. A CDN requires an origin.
      ...{ origin: undefined, cdn: undefined },
      // The console is safe without --network, since users of this machine can read the files of the store anyway.
      ...(servesNetwork ? {} : { console: true }),
    },
    development,
  });
  cleanup.defer(app.close);
  const url = await app.listen(host, port).catch((error: unknown) => throwListenError(error, port, "--port"));
  // Streams are closed first, because open streams would delay the end of the server.
  cleanup.defer(development.close);
  const { shop } = app;
  themeCheck = createThemeCheckWorker(
    { dir: theme.dir, storeDir, config: app.config, themeConfig: app.shop.config },
    (findings) =>
      development.setFindings(removeExistingEntries(findings, (entry) => hasEntry(shop.snapshot().catalog, entry))),
  );
  cleanup.defer(themeCheck.close);
  themeCheck.run();
  cleanup.defer(pollShopChanges(shop, development, themeCheck.run).close);
  const { newCodeVersion: changedCode, close: stopWatching } = watchCode(storeDir, development, shop.process.log);
  cleanup.defer(stopWatching);
  const resources = cleanup.move();
  return { app, url, development, nextCodeVersion: changedCode, close: () => resources.disposeAsync() };
}

const defaultTheme = getPackagePath("themes/default");

function findTheme(storeDir: string): { readonly name: string; readonly dir: string } {
  const [liveThemeName] = readLiveThemes(storeDir);
  const themeDir = getThemeDir(storeDir, liveThemeName);
  return existsSync(themeDir)
    ? { name: relative(storeDir, themeDir), dir: themeDir }
    : { name: relative(storeDir, defaultTheme), dir: defaultTheme };
}

/** Milliseconds between two checks of the merchant's code for changes. */
const POLL_INTERVAL_MS = 300;

/** Watches the settings, the code that they import, which theme is live, and whether its folder exists. */
function watchCode(
  storeDir: string,
  development: DevelopmentMode,
  log: Pick<Log, "recurring">,
): {
  readonly newCodeVersion: Promise<MerchantCode>;
  close(): Promise<void>;
} {
  const { promise: changedCode, resolve: reportCodeChange } = Promise.withResolvers<MerchantCode>();
  const files = new Set([
    ...development.code.files,
    getLiveThemesFile(storeDir),
    getThemeDir(storeDir, readLiveThemes(storeDir)[0]),
  ]);
  let { number } = development.code;
  let loadedVersionKey = computeVersionKey(files);
  const job = poll({ name: "watching the merchant's code", intervalMs: POLL_INTERVAL_MS, log }, async () => {
    const versionKey = computeVersionKey(files);
    if (versionKey === loadedVersionKey) return;
    loadedVersionKey = versionKey;
    number += 1;
    const code: MerchantCode = { dir: storeDir, number, files: new Set() };
    try {
      const config = await loadConfig(storeDir, {}, code);
      await loadHooks(storeDir, config.hooks, code);
      reportCodeChange(code);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      for (const file of code.files) files.add(file);
      loadedVersionKey = computeVersionKey(files);
      development.setCodeError(error.message);
    }
  });
  return { newCodeVersion: changedCode, close: job.close };
}

/** Returns the modification times of files as a string. For a folder, only its existence counts. */
function computeVersionKey(files: ReadonlySet<string>): string {
  return [...files]
    .map((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats?.isFile() === true ? `${stats.mtimeMs} ${stats.size}` : String(stats !== undefined);
    })
    .join();
}

/** Returns whether a shop contains an entry that a theme refers to. */
function hasEntry(catalog: Catalog, { kind, handle }: NamedEntry): boolean {
  if (kind === "blog") return catalog.blogs().includes(handle);
  const [blog = "", name = ""] = handle.split("/");
  return (kind === "article" ? catalog.article(blog, name) : catalog[kind](handle)) !== undefined;
}

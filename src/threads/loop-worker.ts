import { parentPort, workerData } from "node:worker_threads";
import type { ConsoleState } from "../console/console.ts";
import { createLog } from "../observability/log.ts";
import { createDayFormatter, openRulesFolder } from "../predictive-search/rules/rules-folder.ts";
import { loadTracer } from "../runtime/spans.ts";
import { createAssembler } from "../snapshot/snapshot.ts";
import { createSnapshotReceiver, type TransferredSnapshot } from "../snapshot/transferred-parts.ts";
import { observeDatabase } from "../storage/observed-database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { connectSqlite } from "../storage/sqlite/sqlite.ts";
import { createIdGenerator } from "../system.ts";
import { type MessageFromThread, type MessageToThread, serializeError } from "./messages.ts";
import { openMeasuredCartDatabases } from "./open-carts.ts";
import { type EventLoop, openLoop } from "./open-loop.ts";
import type { OpenStore } from "./open-store.ts";
import { openSharedStock } from "./shared-memory.ts";

/** Options of an event-loop thread. */
export interface EventLoopOptions
  extends Pick<OpenStore, "storeDir" | "config" | "secrets" | "source" | "cartDatabaseSources" | "memory"> {
  /** Number of this event-loop thread, from 0 to `threads` - 1. */
  readonly thread: number;
  readonly threads: number;
  readonly logLevel: string;
  readonly hasMetrics: boolean;
  readonly parts: TransferredSnapshot;
  readonly consoleState: ConsoleState;
}

const port = parentPort;
if (port !== null) {
  const send = (message: MessageFromThread): void =>
    port.postMessage(message, message.kind === "connect" ? [message.port] : []);
  await runEventLoop(workerData as EventLoopOptions, send, (onLoopMessage) => port.on("message", onLoopMessage)).catch(
    (error: unknown) => {
      send({ kind: "failed", error: serializeError(error) });
      port.close();
    },
  );
}

/** Runs one event loop of the shop. An uncaught error ends the thread, and the main thread receives the error. */
async function runEventLoop(
  options: EventLoopOptions,
  sendMessage: (message: MessageFromThread) => void,
  onMessage: (listener: (message: MessageToThread) => void) => void,
): Promise<void> {
  const { storeDir, config, source, threads } = options;
  const metrics = options.hasMetrics ? (await import("../observability/metrics.ts")).createThreadMetrics() : undefined;
  const threadDatabase =
    "file" in source
      ? connectSqlite((role, port) => sendMessage({ kind: "connect", role, port }), metrics?.recordCommit)
      : await openDatabase(source, { threads });
  await loadTracer();
  const database = observeDatabase(threadDatabase, metrics?.recordDatabaseOperation);
  const log = createLog(options.logLevel);
  const { cartDatabaseSources } = options;
  const cartDatabases = await openMeasuredCartDatabases(cartDatabaseSources, { database, threads, metrics, log });
  const receiver = createSnapshotReceiver((base) => sendMessage({ kind: "unused", base }));
  const stock = openSharedStock(options.memory);
  const assembleSnapshot = createAssembler(
    (baseLayer) => {
      const id = receiver.idOf(baseLayer);
      if (id !== undefined) sendMessage({ kind: "damaged", base: id });
    },
    config,
    stock,
  );
  let parts = receiver.readSnapshot(options.parts);
  let snapshot = assembleSnapshot(parts);
  let { consoleState } = options;
  const rules = await openRulesFolder({
    storeDir,
    locales: config.locales,
    getToday: createDayFormatter(config.timezone, database.now),
    storedTexts: options.consoleState.rules,
    // The main thread reads the same files, and reports their errors.
    report: () => {},
    log,
  });
  const eventLoop: EventLoop = await openLoop({
    ...options,
    database,
    cartDatabases: cartDatabases.databases,
    hasExclusiveCarts: "file" in source,
    snapshot: () => snapshot,
    stock,
    rulesFolder: rules,
    getSnapshotParts: () => parts,
    consoleState: () => consoleState,
    reloadSettings: async () => sendMessage({ kind: "settings" }),
    signals: {
      take: (events) => sendMessage({ kind: "events", events }),
      count: (clicks) => sendMessage({ kind: "weighed", clicks }),
    },
    log,
    metrics,
    freesMemory: true,
    now: database.now,
    newId: createIdGenerator(),
  });
  const stopFunctions: (() => unknown)[] = [eventLoop.close, rules.close, cartDatabases.close, threadDatabase.close];
  const handleMessage = async (message: MessageToThread): Promise<void> => {
    if (message.kind === "parts") {
      parts = receiver.readSnapshot(message.parts);
      snapshot = assembleSnapshot(parts);
    } else if (message.kind === "console") {
      consoleState = message.state;
      rules.setStoredRules(consoleState.rules);
    } else if (message.kind === "clicks") eventLoop.weighClicks(message.clicks);
    else if (message.kind === "collect")
      sendMessage({ kind: "collected", request: message.request, metrics: (await metrics?.collect()) ?? [] });
    else if (message.kind === "listen") {
      await eventLoop.listen(message.host, message.port, true).then(
        () => sendMessage({ kind: "listening" }),
        (error: unknown) => sendMessage({ kind: "failed", error: serializeError(error) }),
      );
    } else {
      for (const stopFunction of stopFunctions) await stopFunction();
      parentPort?.close();
    }
  };
  onMessage(handleMessage);
  sendMessage({ kind: "open" });
}

import type { Config } from "../../config/settings.ts";
import { createWebhook } from "../../events/webhook.ts";
import { SetupError } from "../../setup-error.ts";
import type { Database } from "../../storage/database.ts";
import {
  type DeliverySelection,
  dropEvents,
  readDeliveriesOfEvent,
  readEvent,
  readUndeliveredEvents,
  retryEvents,
  type UndeliveredEvent,
} from "../../storage/events/event-rows.ts";
import { system } from "../../system.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { type CommandIo, formatJson, sanitize } from "../io.ts";
import { createMinuteFormat, type MinuteFormat } from "../shop-time.ts";
import { openCommandStore } from "../store-database.ts";

const usage = `Usage: vitrine events list   [--store DIR] [--waiting] [--json]
       vitrine events show   [--store DIR] <id>
       vitrine events retry  [--store DIR] <id…> | --all  [--to URL]
       vitrine events drop   [--store DIR] <id…> | --all  [--to URL]
       vitrine events test   [--store DIR] <url>
       vitrine events secret

Manages events for the receivers of events.webhooks, and email. An event is given up after about three days; later events of the
same order wait until it is retried or dropped.
  list         list events that were given up, and the number of waiting ones
  show         show an event and its pending receivers
  retry        send events again now
  drop         give events up for good; later events follow
  test         send a "ping" event to a receiver of the settings and print the response
  secret       create a secret for a receiver
  --store DIR  folder of the store (default: the current folder)
  --waiting    also list waiting events
  --all        all events that were given up; drop with --to of a removed receiver: all of its events
  --to URL     only for this receiver
  --json       print JSON objects, one per line`;

const options = { store: text, to: text, all: flag, waiting: flag, json: flag };

/** Runs `vitrine events`. */
export const run = defineCommand(usage, options, async ({ values, positionals }, io) => {
  const { to, all = false, waiting = false, json = false } = values;
  const [action = "", ...words] = positionals;
  const usageError = findUsageError(action, words, all);
  if (usageError !== undefined) throw new UsageError(usageError);
  if (action === "secret") {
    io.stdout.write(`whsec_${Buffer.from(system.newSecret(), "base64url").toString("base64")}\n`);
    return 0;
  }
  await using store = await openCommandStore(io, values.store);
  const { config, database } = store;
  const receivers = listReceivers(config);
  const formatTime = createMinuteFormat(config.timezone);
  if (action === "list") return await listEvents(database, { waiting, json, receivers, formatTime }, io);
  if (action === "show") return await showEvent(database, words[0] ?? "", formatTime, io);
  if (action === "test") return await sendPing(config, words[0] ?? "", database.now(), io);
  const destination = to === undefined ? {} : { destination: toReceiverName(to) };
  const includesDueEvents = action === "drop" && to !== undefined && !receivers.has(toReceiverName(to));
  const selections = all
    ? [{ ...destination, includesDueEvents }]
    : words.map((eventId) => ({ eventId, ...destination }));
  return await retryOrDropEvents(database, action === "retry" ? "retry" : "drop", selections, io);
});

/** Returns the error in the arguments, or undefined. */
function findUsageError(action: string, words: readonly string[], isAllSelected: boolean): string | undefined {
  switch (action) {
    case "list":
    case "secret":
      return words.length === 0 ? undefined : `${action} takes no arguments.`;
    case "show":
      return words.length === 1 ? undefined : "name one event by its id.";
    case "test":
      return words.length === 1 ? undefined : "name the receiver by its URL in the settings.";
    case "retry":
    case "drop":
      return isAllSelected === words.length > 0 ? "name events by their ids, or use --all." : undefined;
    default:
      return "use list, show, retry, drop, test or secret.";
  }
}

/** Returns the names of all receivers in the settings. */
function listReceivers(config: Config): ReadonlySet<string> {
  const webhooks = config.events.webhooks.map(({ url }) => url);
  return new Set(config.mail.smtp === undefined ? webhooks : [...webhooks, "mail", "merchant-mail"]);
}

async function listEvents(
  database: Database,
  {
    waiting,
    json,
    receivers,
    formatTime,
  }: {
    readonly waiting: boolean;
    readonly json: boolean;
    readonly receivers: ReadonlySet<string>;
    readonly formatTime: MinuteFormat;
  },
  io: CommandIo,
): Promise<number> {
  let [count, hiddenCount] = [0, 0];
  const removedReceivers = new Set<string>();
  for await (const page of readUndeliveredEvents(database)) {
    const listedEvents = page.filter(({ state }) => waiting || state === "dead");
    count += listedEvents.length;
    hiddenCount += page.length - listedEvents.length;
    for (const { destination } of page) if (!receivers.has(destination)) removedReceivers.add(destination);
    io.stdout.write(
      listedEvents.map((delivery) => (json ? toJsonLine(delivery) : toText(delivery, formatTime))).join(""),
    );
  }
  if (json) return 0;
  if (count === 0) io.stderr.write(waiting ? "No undelivered events.\n" : "No failed events.\n");
  if (hiddenCount > 0) io.stderr.write(`${hiddenCount} pending; --waiting lists them.\n`);
  for (const name of removedReceivers) {
    const receiver = sanitize(name);
    // Settings such as mail.smtp often come from environment variables that are set only for the server.
    io.stderr.write(
      `The settings have no receiver ${receiver}. If the server uses it, run this command with the environment variables of the server, such as SMTP_URL. Otherwise, "vitrine events drop --all --to ${receiver}" deletes its events.\n`,
    );
  }
  return 0;
}

function toJsonLine(delivery: UndeliveredEvent): string {
  const { event, destination, state, attempts, dueAt, failure, firstEventId } = delivery;
  const nextAttempt = state === "dead" || firstEventId !== event.id ? null : new Date(dueAt).toISOString();
  const eventFields = { id: event.id, type: event.type, created_at: new Date(event.createdAt).toISOString() };
  const after_id = firstEventId === event.id ? null : firstEventId;
  return formatJson({
    ...eventFields,
    to: destination,
    state,
    attempts,
    next_at: nextAttempt,
    after: after_id,
    failure: failure ?? null,
  });
}

function toText(
  { event, destination, state, attempts, failure, firstEventId }: UndeliveredEvent,
  formatTime: MinuteFormat,
): string {
  const stateText =
    firstEventId !== event.id
      ? `waits for ${firstEventId}`
      : state === "dead"
        ? `given up after ${attempts} attempts`
        : "pending";
  return `${event.id}  ${formatTime(event.createdAt)}  ${event.type}  to ${sanitize(destination)}  ${stateText}${failure === undefined ? "" : `: ${sanitize(failure)}`}\n`;
}

async function showEvent(database: Database, id: string, formatTime: MinuteFormat, io: CommandIo): Promise<number> {
  const event = await readEvent(database, id);
  if (event === undefined) return reportMissingEvent(id, io);
  const { type, payload, createdAt } = event;
  io.stdout.write(formatJson({ id, type, timestamp: new Date(createdAt).toISOString(), data: payload }, 2));
  const pendingDeliveries = await readDeliveriesOfEvent(database, id);
  io.stderr.write(
    pendingDeliveries.length === 0
      ? "All receivers accepted the event.\n"
      : pendingDeliveries.map((delivery) => toText(delivery, formatTime)).join(""),
  );
  return 0;
}

async function sendPing(config: Config, url: string, now: number, io: CommandIo): Promise<number> {
  const { webhooks, timeout } = config.events;
  const settings = webhooks.find((webhook) => webhook.url === toReceiverName(url));
  if (settings === undefined)
    throw new SetupError(`the settings have no receiver ${sanitize(url)}: add it to events.webhooks.`);
  const receiver = createWebhook(settings, timeout);
  const event = { id: system.newId(), type: "ping", payload: { shop: config.name }, createdAt: now } as const;
  const start = performance.now();
  const outcome = await receiver.deliver(event, now, new AbortController().signal);
  const durationMs = Math.round(performance.now() - start);
  if (!outcome.isDone) throw new SetupError(`rejected after ${durationMs} ms: ${sanitize(outcome.failure)}`);
  io.stdout.write(`Accepted after ${durationMs} ms.\n`);
  return 0;
}

/** Returns the name of a receiver: its normalized URL, or the text unchanged if it is not a URL. */
function toReceiverName(url: string): string {
  return URL.parse(url)?.href ?? url;
}

async function retryOrDropEvents(
  database: Database,
  action: "retry" | "drop",
  selections: readonly DeliverySelection[],
  io: CommandIo,
): Promise<number> {
  let code = 0;
  let count = 0;
  for (const selection of selections) {
    const changedCount = await (action === "retry" ? retryEvents : dropEvents)(database, selection);
    count += changedCount;
    if (changedCount === 0 && selection.eventId !== undefined) code = reportMissingEvent(selection.eventId, io);
  }
  io.stdout.write(action === "retry" ? `Retrying: ${count}.\n` : `Dropped: ${count}.\n`);
  return code;
}

function reportMissingEvent(id: string, io: CommandIo): number {
  io.stderr.write(`vitrine: no such event: ${sanitize(id)}. See "${io.program} events list".\n`);
  return 1;
}

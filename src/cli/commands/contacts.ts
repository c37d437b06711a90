import type { Contact } from "../../inbox/inbox.ts";
import { removeControlCharacters } from "../../runtime/control-characters.ts";
import { approveComments } from "../../storage/comment-store.ts";
import { formatContact, readContacts, removeContacts } from "../../storage/contact-store.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { formatJson } from "../io.ts";
import { createMinuteFormat, type MinuteFormat, readStartTime } from "../shop-time.ts";
import { openCommandStore } from "../store-database.ts";

const usage = `Usage: vitrine contacts [--store DIR] [--kind KIND] [--since DATE] [--json]
       vitrine contacts [--store DIR] --approve <id…>
       vitrine contacts [--store DIR] --remove <id…>

Lists what customers sent with forms, oldest first: messages, newsletter subscriptions, and comments.
  --store DIR   folder of the store (default: the current folder)
  --kind KIND   only message, newsletter, or comment
  --since DATE  from this day on, such as 2026-11-01
  --json        print JSON objects with all fields, one per line
  --approve     show these comments on their articles
  --remove      delete these entries`;

const kinds: readonly string[] = ["message", "newsletter", "comment"] satisfies readonly Contact["kind"][];

const options = { store: text, kind: text, since: text, json: flag, approve: flag, remove: flag };

/** Runs `vitrine contacts`. */
export const run = defineCommand(usage, options, async ({ values, positionals: ids }, io) => {
  const { kind, since, json, approve = false, remove = false } = values;
  if (kind !== undefined && !kinds.includes(kind))
    throw new UsageError(`there is no kind "${kind}": ${kinds.join(", ")}.`);
  if (approve && remove) throw new UsageError("either --approve or --remove.");
  if ((approve || remove) !== ids.length > 0)
    throw new UsageError(ids.length > 0 ? "contacts takes no arguments; see --approve." : "name the ids.");
  await using store = await openCommandStore(io, values.store);
  const { config, database } = store;
  const startTime = readStartTime(since, config.timezone);
  const formatTime = createMinuteFormat(config.timezone);
  if (approve || remove) {
    const count = approve ? await approveComments(database, ids, database.now()) : await removeContacts(database, ids);
    io.stdout.write(`${approve ? "Approved" : "Deleted"}: ${count}.\n`);
    if (approve && count < ids.length) io.stderr.write("The other ids are not comments or do not exist.\n");
    return count === ids.length ? 0 : 1;
  }
  const selection = kind === undefined ? { since: startTime } : { since: startTime, kind: kind as Contact["kind"] };
  let count = 0;
  for await (const page of readContacts(database, selection)) {
    count += page.length;
    io.stdout.write(
      page.map((contact) => (json ? formatJson(formatContact(contact)) : toText(contact, formatTime))).join(""),
    );
  }
  if (count === 0 && !json) io.stderr.write("No messages found.\n");
  return 0;
});

function toText({ id, kind, email, page, fields, sentAt, approvedAt }: Contact, formatTime: MinuteFormat): string {
  const lines = Object.entries(fields).map(([name, value]) => `  ${sanitizeLines(name)}: ${sanitizeLines(value)}\n`);
  return `${formatTime(sentAt)}  ${kind}${approvedAt === undefined ? "" : " (shown)"}  ${sanitizeLines(email)}  ${sanitizeLines(page)}  ${id}\n${lines.join("")}`;
}

/** Removes control characters from text of visitors, and indents all lines except the first. */
function sanitizeLines(value: string): string {
  return removeControlCharacters(value.replace(/\r\n?/g, "\n")).replaceAll("\n", "\n    ");
}

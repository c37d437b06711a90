import { resolve } from "node:path";
import { createDayConverter } from "../../catalog/rows/zoned-dates.ts";
import { approveComments } from "../../storage/comment-store.ts";
import { formatContact, readContacts, removeContacts, type StoredContact } from "../../storage/contact-store.ts";
import { readArguments, reportWrongUsage } from "../arguments.ts";
import type { CommandIo } from "../io.ts";
import { openStore } from "../store-database.ts";

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

const kinds: readonly string[] = ["message", "newsletter", "comment"] satisfies readonly StoredContact["kind"][];

/** Runs `vitrine contacts`. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const text = { type: "string" } as const;
  const booleanOption = { type: "boolean" } as const;
  const options = {
    store: text,
    kind: text,
    since: text,
    json: booleanOption,
    approve: booleanOption,
    remove: booleanOption,
  };
  const parsedArguments = readArguments(args, options, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  const { store = ".", kind, since, json, approve = false, remove = false } = parsedArguments.values;
  if (kind !== undefined && !kinds.includes(String(kind)))
    return reportWrongUsage(`there is no kind "${kind}": ${kinds.join(", ")}.`, usage, io);
  if (since !== undefined && Number.isNaN(Date.parse(String(since))))
    return reportWrongUsage(`"${since}" is not a date: use the format 2026-11-01.`, usage, io);
  const ids = parsedArguments.positionals;
  if (approve && remove) return reportWrongUsage("either --approve or --remove.", usage, io);
  if ((approve || remove) !== ids.length > 0)
    return reportWrongUsage(
      ids.length > 0 ? "contacts takes no arguments; see --approve." : "name the ids.",
      usage,
      io,
    );
  const { config, database } = await openStore(resolve(io.cwd, String(store)), io.env.DATABASE_URL);
  const startTime = since === undefined ? 0 : Date.parse(createDayConverter(config.timezone)(String(since)));
  try {
    if (approve) {
      const count = await approveComments(database, ids, Date.now());
      io.stdout.write(`Approved: ${count}.\n`);
      if (count < ids.length) io.stderr.write("The other ids are not comments or do not exist.\n");
      return count === ids.length ? 0 : 1;
    }
    if (remove) {
      const count = await removeContacts(database, ids);
      io.stdout.write(`Deleted: ${count}.\n`);
      return count === ids.length ? 0 : 1;
    }
    const selection =
      kind === undefined ? { since: startTime } : { since: startTime, kind: String(kind) as StoredContact["kind"] };
    let count = 0;
    for await (const page of readContacts(database, selection)) {
      count += page.length;
      io.stdout.write(page.map((contact) => (json ? toJsonLine(contact) : toText(contact))).join(""));
    }
    if (count === 0 && !json) io.stderr.write("No messages found.\n");
    return 0;
  } finally {
    await database.close();
  }
}

function toJsonLine(contact: StoredContact): string {
  return `${JSON.stringify(formatContact(contact))}\n`;
}

function toText({ id, kind, email, page, fields, sentAt, approvedAt }: StoredContact): string {
  const createdTime = new Date(sentAt).toISOString().slice(0, 16).replace("T", " ");
  const lines = Object.entries(fields).map(([name, text]) => `  ${sanitizeLines(name)}: ${sanitizeLines(text)}\n`);
  return `${createdTime}  ${kind}${approvedAt === undefined ? "" : " (shown)"}  ${sanitizeLines(email)}  ${sanitizeLines(page)}  ${id}\n${lines.join("")}`;
}

/** Removes control characters from text of visitors, and indents all lines except the first. */
function sanitizeLines(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "")
    .replaceAll("\n", "\n    ");
}

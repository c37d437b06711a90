import type { Contact, ContactStore } from "../inbox/inbox.ts";
import { type Database, type SqlRow, type Statement, tryWrite } from "./database.ts";
import { deleteEvent } from "./events/event-rows.ts";
import { emitEvent } from "./events/outbox.ts";
import { repeatWhileInDoubt } from "./write-with-retry.ts";

/** Stores the contact forms that shoppers send. */
export function createContactStore(database: Database): ContactStore {
  return {
    async add(contact) {
      const { id, kind, email, locale, page, fields, sentAt } = contact;
      const params = [id, kind, email, locale, page, JSON.stringify(fields), sentAt];
      const insertStatement: Statement = {
        sql: `INSERT INTO contacts (id, kind, email, locale, page, fields, sent_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
        params,
        requireRows: 1,
      };
      const event = { id, type: "contact.received", orderKey: id, createdAt: sentAt } as const;
      const statements = [insertStatement, ...emitEvent({ ...event, payload: { contact: formatContact(contact) } })];
      // The condition fails if the contact was sent twice, or the response to a commit was lost.
      await repeatWhileInDoubt(database, (startDeadline) => tryWrite(database, statements, startDeadline));
    },
  };
}

/** Yields contacts in pages, oldest first.  @param since earliest time of a contact, in milliseconds since 1970 */
export async function* readContacts(
  database: Database,
  { kind, since = 0 }: { readonly kind?: Contact["kind"]; readonly since?: number },
): AsyncGenerator<readonly Contact[]> {
  let lastKey: readonly [number, string] = [since, ""];
  for (;;) {
    const rows = await database.read(
      `SELECT ${contactColumns} FROM contacts
        WHERE (sent_at, id) > ($1, $2) ORDER BY sent_at, id LIMIT ${PAGE_SIZE}`,
      lastKey,
    );
    const contacts = rows.map(toContact);
    yield kind === undefined ? contacts : contacts.filter((contact) => contact.kind === kind);
    const lastContact = contacts.at(-1);
    if (lastContact === undefined || contacts.length < PAGE_SIZE) return;
    lastKey = [lastContact.sentAt, lastContact.id];
  }
}

/**
 * Reads contacts, newest first.
 * @param endTime time before which the contacts were sent, in milliseconds since 1970. Default: no limit
 */
export async function readNewestContacts(
  database: Database,
  limit: number,
  endTime: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly Contact[]> {
  const rows = await database.read(
    `SELECT ${contactColumns} FROM contacts
      WHERE sent_at < $1 ORDER BY sent_at DESC, id DESC LIMIT $2`,
    [endTime, limit],
  );
  return rows.map(toContact);
}

/** Deletes contacts and their events.  @returns the number of deleted contacts */
export async function removeContacts(database: Database, ids: readonly string[]): Promise<number> {
  const removals = ids.flatMap((id) => [
    { sql: "DELETE FROM contacts WHERE id = $1 RETURNING id", params: [id] },
    ...deleteEvent(id),
  ]);
  return (await database.write(removals)).flat().length;
}

/** Returns a contact as JSON for other systems. */
export function formatContact({ sentAt, approvedAt, ...contact }: Contact): Readonly<Record<string, unknown>> {
  const approvalFields = approvedAt === undefined ? {} : { approved_at: new Date(approvedAt).toISOString() };
  return { ...contact, sent_at: new Date(sentAt).toISOString(), ...approvalFields };
}

const PAGE_SIZE = 500;
const contactColumns = "id, kind, email, locale, page, fields, sent_at, approved_at";

function toContact(row: SqlRow): Contact {
  return {
    id: String(row.id),
    kind: String(row.kind) as Contact["kind"],
    email: String(row.email),
    locale: String(row.locale),
    page: String(row.page),
    fields: JSON.parse(String(row.fields)) as Contact["fields"],
    sentAt: Number(row.sent_at),
    ...(row.approved_at === null ? {} : { approvedAt: Number(row.approved_at) }),
  };
}

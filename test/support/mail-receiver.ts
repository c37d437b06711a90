import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { until } from "./until.ts";

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly header: (name: string) => string;
  /** Decoded parts of the mail, concatenated. */
  readonly text: string;
  /** HTML part, or "" if missing. */
  readonly html: string;
  /** File names of the attachments. */
  readonly attachments: readonly string[];
}

export interface MailReceiver {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Message-ID of each delivery attempt, including rejected ones. */
  readonly attempts: readonly string[];
  /** Resolves with the mails to an address when there are at least `count` of them. */
  mailsTo(address: string, count?: number): Promise<readonly ReceivedMail[]>;
}

/** Starts a local mail server that stops after the test file.  @param refuse returns the reason to reject a mail */
export async function startMailReceiver(
  options: SMTPServerOptions = {},
  refuse: () => string | undefined = () => undefined,
): Promise<MailReceiver> {
  const attempts: string[] = [];
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("latin1");
        attempts.push(String(/^Message-ID: (.*)\r$/im.exec(raw)?.[1]));
        const rejection = refuse();
        if (rejection !== undefined) return done(new Error(rejection));
        const headers = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
        const text = decodeParts(raw);
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          header: (name) => decodeWords(String(new RegExp(`^${name}: (.*)$`, "im").exec(headers)?.[1]).trim()),
          text,
          attachments: [...raw.matchAll(/^Content-Disposition: attachment;\s*filename="?([^"\r\n]+)/gim)].map(
            ([, name = ""]) => name,
          ),
          html: /<!doctype html>[\s\S]*<\/html>/.exec(text)?.[0] ?? "",
        });
        done();
      });
    },
    ...options,
  });
  server.listen(0, "127.0.0.1");
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await until(() => server.server.listening, "the mail server");
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    attempts,
    async mailsTo(address, count = 1) {
      const found = (): readonly ReceivedMail[] => mails.filter(({ to }) => to.includes(address));
      await until(() => found().length >= count, `mail ${count} to ${address}`);
      return found();
    },
  };
}

/** Decodes encoded words of a header, such as "=?UTF-8?Q?Bestellung_=231?=". */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      (kind.toUpperCase() === "B"
        ? Buffer.from(word, "base64")
        : Buffer.from(unquoted(word.replaceAll("_", " ")), "latin1")
      ).toString("utf8"),
    );
}

function unquoted(text: string): string {
  return text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeParts(raw: string): string {
  const [, boundary] = /boundary="([^"]+)"/.exec(raw) ?? [];
  const parts = boundary === undefined ? [raw] : raw.split(`--${boundary}`);
  return parts
    .map((part) => {
      const [head = "", ...rest] = part.split("\r\n\r\n");
      const body = rest.join("\r\n\r\n");
      if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
      return Buffer.from(unquoted(body), "latin1").toString("utf8");
    })
    .join("\n")
    .replaceAll("\r\n", "\n");
}

import { Socket } from "node:net";
import type { MailText } from "./templates.ts";

export interface Mail extends MailText {
  readonly from: string;
  /** One address. */
  readonly to: string;
  /** One address; absent: that of `from`. */
  readonly replyTo?: string;
  /** The same at every attempt, so that readers of mail show one. */
  readonly messageId: string;
}

export interface Mailbox {
  /** @param signal ends the conversation, however far it has come  @throws with a `responseCode` where the server said no, and what the signal says */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
}

/** A server that takes mails. The library is loaded with the first one.
 *  @param address "smtps://user:password@mail.example:465"; with "smtp:" the connection must become secure before anything is said, but to this very machine
 *  @param timeoutMs of each step of the conversation */
export function createMailbox(address: string, timeoutMs: number): Mailbox {
  const url = new URL(address);
  const isSecure = url.protocol === "smtps:";
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    requireTLS: !isSecure && !isLocal,
    ignoreTLS: isLocal && !isSecure,
    ...(url.username === ""
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Nothing that a mail says makes this machine read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    async send({ from, to, replyTo, messageId, subject, text, html }, signal) {
      const { createTransport } = await import("nodemailer");
      // Each step has its time, but a server that says a word now and then makes one last for ever: the socket is ended from here.
      const socket = new Socket();
      const ended = Promise.withResolvers<never>();
      const end = (): void => {
        socket.destroy();
        ended.reject(signal.reason);
      };
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
      const sending = createTransport({ ...options, socket }).sendMail({
        from,
        // As one address each: what a shopper wrote is no list.
        to: { name: "", address: to },
        ...(replyTo === undefined ? {} : { replyTo: { name: "", address: replyTo } }),
        messageId,
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        headers: { "Auto-Submitted": "auto-generated" },
      });
      try {
        await Promise.race([sending, ended.promise]);
      } finally {
        signal.removeEventListener("abort", end);
      }
    },
  };
}

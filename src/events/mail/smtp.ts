import { Socket } from "node:net";
import type { MailText } from "./templates.ts";

export interface Mail extends MailText {
  readonly from: string;
  /** One address. */
  readonly to: string;
  /** One address; default: that of `from`. */
  readonly replyTo?: string;
  /** Constant for all attempts, so that mail clients show one message. */
  readonly messageId: string;
}

/**
 * A mail server. The SMTP library is loaded with the first mail.
 * @param address "smtps://user:password@mail.example:465"; "smtp:" requires STARTTLS except for this machine
 * @param timeoutMs of each step of the conversation
 */
export function createMailbox(address: string, timeoutMs: number) {
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
    // Nothing in a mail makes this machine read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    /**
     * @param signal aborts the conversation
     * @throws Error with a `responseCode` if the server rejected the mail, or the signal's reason
     */
    async send({ from, to, replyTo, messageId, subject, text, html }: Mail, signal: AbortSignal) {
      const { createTransport } = await import("nodemailer");
      // Each step has a timeout, but a server that sends a byte now and then could extend it forever: the socket is
      // closed here.
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
        // Passed as one address: text from a shopper must not become a list.
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

import { Socket } from "node:net";
import { isLoopbackHost } from "../../runtime/url-host.ts";
import type { MailText } from "./templates.ts";

export interface Mail extends MailText {
  readonly from: string;
  /** A single recipient address. */
  readonly to: string;
  /** A single reply address, which is omitted if its local part is not ASCII; default: the address of `from`. */
  readonly replyTo?: string;
  /** Unique id, equal in all attempts, so that mail clients show one message. */
  readonly id: string;
  readonly attachments?: readonly MailAttachment[];
}

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
  /** Name by which the HTML part shows an image, as in "cid:bank-transfer". Undefined for a file. */
  readonly cid?: string;
}

/**
 * Creates a connection to a mail server. The SMTP library is loaded with the first mail.
 * @param address URL such as "smtps://user:password@mail.example:465"; "smtp:" requires STARTTLS unless the host is
 * local
 * @param timeoutMs timeout of each step of the SMTP conversation
 */
export function createMailbox(address: string, timeoutMs: number) {
  const url = new URL(address);
  const isSecure = url.protocol === "smtps:";
  const isLocalServer = isLoopbackHost(url.hostname);
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    requireTLS: !isSecure && !isLocalServer,
    ignoreTLS: isLocalServer && !isSecure,
    ...(url.username === ""
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // The content of a mail must not make this machine read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const createTransport = async (socket: Socket) =>
    (await import("nodemailer")).createTransport({ ...options, socket });
  /**
   * Runs a conversation with the server. Each step has a timeout, but a server could extend a step forever by sending
   * single bytes. Therefore, the socket is created here, and is closed when `signal` is aborted.
   * @throws Error with a `responseCode` if the server rejected a command, or the signal's reason
   */
  const converse = async <T>(
    signal: AbortSignal,
    talk: (transport: Awaited<ReturnType<typeof createTransport>>) => Promise<T>,
  ): Promise<T> => {
    const socket = new Socket();
    const transport = await createTransport(socket);
    const abortPromise = Promise.withResolvers<never>();
    const abort = (): void => {
      socket.destroy();
      abortPromise.reject(signal.reason);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([talk(transport), abortPromise.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };
  return {
    /** Connects and logs in without sending a mail.  @throws Error as `send` does */
    async verify(signal: AbortSignal): Promise<void> {
      await converse(signal, (transport) => transport.verify());
    },
    /**
     * Sends a mail.
     * @param signal aborts the conversation
     * @returns the last answer of the server
     * @throws Error with a `responseCode` if the server rejected the mail, or the signal's reason
     */
    async send(
      { from, to, replyTo, id, subject, text, html, attachments = [] }: Mail,
      signal: AbortSignal,
    ): Promise<string> {
      const mail = {
        from,
        // The address is passed as an object, so that text from a shopper is never parsed as a list of addresses.
        to: { name: "", address: to },
        // Other characters require a server with SMTPUTF8. The domain is converted to ASCII.
        ...(/^[!-~]+@/.test(replyTo ?? "") ? { replyTo: { name: "", address: String(replyTo) } } : {}),
        messageId: `<${id}@${extractAddress(from).split("@").at(-1)}>`,
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        attachments: attachments.map(({ content, ...attachment }) => ({
          ...attachment,
          content: Buffer.from(content),
        })),
        headers: { "Auto-Submitted": "auto-generated" },
      };
      return (await converse(signal, (transport) => transport.sendMail(mail))).response;
    },
  };
}

/** Returns the address of a sender: "Shop <shop@shop.example>" becomes "shop@shop.example". */
export function extractAddress(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
}

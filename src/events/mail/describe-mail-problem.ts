import { createMailbox } from "./smtp.ts";

/**
 * Connects to a mail server and logs in, without sending a message.
 * @param smtp URL of the server
 * @param timeoutMs timeout of each step
 * @returns why the server does not accept email; undefined if it does
 */
export async function describeMailProblem(smtp: string, timeoutMs: number): Promise<string | undefined> {
  try {
    await createMailbox(smtp, timeoutMs).verify();
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `${new URL(smtp).host} does not accept email: ${message.replace(/\.?$/, "")}. Check host, port, user, and password in mail.smtp; "smtps://" is for port 465.`;
  }
}

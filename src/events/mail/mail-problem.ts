import type { MailProblem } from "../../config/settings-editor.ts";
import { createMailbox } from "./smtp.ts";

/** Time limit of a login, as a multiple of the timeout of a step. */
const MAX_SLOW_STEPS = 3;

/**
 * Connects to a mail server and logs in, without sending a message.
 * @param smtp URL of the server
 * @param timeoutMs timeout of each step
 * @returns why the server does not accept email; undefined if it does
 */
export async function findMailProblem(smtp: string, timeoutMs: number): Promise<MailProblem | undefined> {
  try {
    await createMailbox(smtp, timeoutMs).verify(AbortSignal.timeout(MAX_SLOW_STEPS * timeoutMs));
    return undefined;
  } catch (error) {
    return toMailProblem(smtp, error);
  }
}

/** Returns the problem that an error of the SMTP library reports. */
export function toMailProblem(smtp: string, error: unknown): MailProblem {
  const { code = "", name, responseCode, message = String(error) } = Object(error);
  // A server that requires a login rejects the sender of a mail without one by code 530.
  const isLogin = code === "EAUTH" || responseCode === 530;
  const isConnection = connectionErrorCodes.includes(code) || name === "TimeoutError";
  return { cause: isLogin ? "login" : isConnection ? "connection" : "other", host: new URL(smtp).host, message };
}

const connectionErrorCodes = ["ECONNECTION", "ECONNREFUSED", "EDNS", "ENOTFOUND", "ESOCKET", "ETIMEDOUT", "ETLS"];

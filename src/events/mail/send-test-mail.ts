import type { Config } from "../../config/settings.ts";
import type { TestMailResult } from "../../config/settings-editor.ts";
import { getMessages } from "../../messages/messages.ts";
import { createFieldProblem } from "../../problem.ts";
import { toMailProblem } from "./mail-problem.ts";
import { getMerchantAddress } from "./merchant-mails.ts";
import { createMailbox } from "./smtp.ts";

/** Maximum milliseconds of the test, because a page waits for the result. */
const MAX_DURATION_MS = 15_000;

/**
 * Sends a test mail to the merchant, in the language of the shop.
 * @param id unique id of the mail
 * @throws Problem `validation_failed` if the settings name no mail server
 */
export async function sendTestMail(
  { name: shop, locales, contact, mail, events }: Config,
  id: string,
): Promise<TestMailResult> {
  const { smtp, from } = mail;
  if (smtp === undefined || from === undefined)
    throw createFieldProblem("mail.smtp", "required", "Set mail.smtp and mail.from first.");
  const messages = getMessages(locales.default);
  const to = getMerchantAddress({ contact }, from);
  const texts = { subject: messages("mails.testSubject", { shop }), text: `${messages("mails.testText", { shop })}\n` };
  try {
    const mailbox = createMailbox(smtp, Math.min(events.timeout, MAX_DURATION_MS));
    const answer = await mailbox.send({ ...texts, from, to, id }, AbortSignal.timeout(MAX_DURATION_MS));
    return { to, isAccepted: true, answer };
  } catch (error) {
    const problem = toMailProblem(smtp, error);
    return { to, isAccepted: false, answer: problem.message, problem };
  }
}

import type { MailProblem, SavedSettings } from "../../../config/settings-editor.ts";
import { createFieldProblem } from "../../../problem.ts";
import { limitFieldText } from "../console-page.ts";
import type { ConsoleTexts } from "../console-texts.ts";
import { type MarkupValue, markup } from "../markup.ts";
import { getInputState, isComputed, type SettingField } from "./setting-fields.ts";

/** The URL of the mail server, as its parts. The saved password is never shown. */
export const mailServerField: SettingField = {
  path: "mail.smtp",
  render(state) {
    const { texts, saved, submitted } = state;
    const { attributes, notes } = getInputState(state, this.path);
    const values = submitted === undefined ? parseServer(saved) : readServer(submitted);
    const input = (name: keyof MailServer, label: string, format = markup``) =>
      markup`<div class="grow"><label for="smtp-${name}">${label}</label><input id="smtp-${name}" name="smtp_${name}" value="${name !== "password" && values[name]}" maxlength="300" autocomplete="${name === "password" ? "new-password" : "off"}"${format}${attributes}></div>`;
    return markup`<fieldset><legend>${texts.get("settings.mailServer")}</legend><div class="row">${[
      input("host", texts.get("settings.host"), markup` placeholder="smtp.example.com"`),
      input("port", texts.get("settings.port"), markup` inputmode="numeric" placeholder="587"`),
      input("user", texts.get("settings.user")),
      input("password", texts.get("settings.password"), markup` type="password"`),
    ]}</div><p class="muted">${texts.get("settings.mailServerHint")}</p>${notes}</fieldset>`;
  },
  read(form, saved) {
    if (form.smtp_host === undefined || isComputed(saved, this.path)) return [];
    const savedServer = parseServer(saved);
    const { host, port, user, password } = readServer(form);
    const isSameServer = host === savedServer.host && port === savedServer.port;
    if (isSameServer && user === savedServer.user && password === "") return [];
    if (host === "") return [[this.path, null]];
    if (user !== "" && password === "")
      throw createFieldProblem(this.path, "required", "Enter the password of the mail server.");
    if (!/^([\w.-]+|\[[\da-f:.]+\])$/i.test(host) || !/^\d{0,5}$/.test(port))
      throw createFieldProblem(this.path, "format", "Enter a host such as smtp.example.com, and a port such as 587.");
    const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
    // Servers expect TLS from the start at port 465, and usually STARTTLS at others.
    const protocol = isSameServer ? savedServer.protocol : port === "465" ? "smtps:" : "smtp:";
    const isDefaultPort = port === "" || (port === "465" && protocol === "smtps:");
    return [[this.path, `${protocol}//${login}${host}${isDefaultPort ? "" : `:${port}`}`]];
  },
};

/** Explains a problem with the mail server, with links to the fields that may be wrong. */
export function describeMailProblem(texts: ConsoleTexts, problem: MailProblem | undefined): MarkupValue {
  if (problem === undefined) return undefined;
  const [key, ids] = problemTexts[problem.cause];
  const fields = ids.map(
    (id, index) => markup`${index > 0 && ", "}<a href="/admin/settings#smtp-${id}">${texts.get(`settings.${id}`)}</a>`,
  );
  return texts.render(key, { host: markup`<bdi>${problem.host}</bdi>`, fields });
}

const problemTexts = {
  login: ["settings.mailLoginFailed", ["user", "password"]],
  connection: ["settings.mailUnreachable", ["host", "port"]],
  other: ["settings.mailRejected", ["host", "port", "user", "password"]],
} as const satisfies Readonly<Record<MailProblem["cause"], unknown>>;

type MailServer = Readonly<Record<"host" | "port" | "user" | "password", string>>;

function readServer(form: Readonly<Record<string, unknown>>): MailServer {
  const text = (name: string): string => limitFieldText(form[`smtp_${name}`]);
  return { host: text("host"), port: text("port"), user: text("user"), password: text("password") };
}

function parseServer({ settings }: SavedSettings): MailServer & { readonly protocol: string } {
  const url = URL.parse(settings.mail?.smtp ?? "");
  if (url === null) return { protocol: "smtp:", host: "", port: "", user: "", password: "" };
  const { protocol, hostname: host, username } = url;
  const port = url.port || (protocol === "smtps:" ? "465" : "587");
  return { protocol, host, port, user: decodeURIComponent(username), password: "" };
}

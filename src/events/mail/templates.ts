import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine, LiquidError, Meter } from "@vitrine/liquid";
import { ignoreNotFound, isNotFound } from "../../not-found.ts";
import { formatMoney } from "../../pricing/money.ts";

export interface MailText {
  readonly subject: string;
  readonly text: string;
  /** HTML part; undefined for a mail that has only text. */
  readonly html?: string;
}

/** Language, currency and template objects of a mail. */
export interface MailRenderContext {
  readonly locale: string;
  /** Currency code (ISO 4217). */
  readonly currency: string;
  readonly globals: Readonly<Record<string, unknown>>;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  readonly timezone: string;
}

/** Maximum number of Liquid steps (rendered tags, outputs, and list items) for a mail. */
const MAX_TEMPLATE_STEPS = 500_000;
const RENDER_TIMEOUT_MS = 2_000;
/** Folder of Vitrine's own templates, used if the store has none. */
const builtInFolder = fileURLToPath(new URL("../../../notifications", import.meta.url));

/**
 * Renders a mail from the store's templates. The file `notifications/<name>.<locale>.txt.liquid` takes precedence over
 * `notifications/<name>.txt.liquid`, and `.html.liquid` files of the same name are optional. Vitrine's templates are
 * used if the store has none. Templates are read for each mail, so that edits apply immediately. All templates may
 * render the snippets of Vitrine.
 * @throws Error with the template's file and line
 */
export async function writeMail(folder: string, name: string, objects: MailRenderContext): Promise<MailText> {
  const customText = await findTemplate(folder, name, objects.locale, "txt");
  const customHtml = await findTemplate(folder, name, objects.locale, "html");
  const text = customText ?? (await findTemplate(builtInFolder, name, objects.locale, "txt"));
  if (text === undefined) throw new Error(`notifications/${name}.txt.liquid is missing`);
  // A text template of the store must not be combined with an HTML template of Vitrine.
  const html =
    customHtml ??
    (customText === undefined ? await findTemplate(builtInFolder, name, objects.locale, "html") : undefined);
  const [subject = "", ...body] = render(text, objects).split("\n");
  if (!/^Subject: *\S/.test(subject))
    throw new Error(`${text.file}: must begin with a line "Subject: …", followed by an empty line`);
  return {
    subject: subject.replace(/^Subject: */, "").trim(),
    text: body.join("\n").trimStart(),
    ...(html === undefined ? {} : { html: render(html, objects) }),
  };
}

/** Returns the names of all emails, such as "order-created". */
export function listMailNames(): readonly string[] {
  return readdirSync(builtInFolder).flatMap((file) => /^(.+)\.txt\.liquid$/.exec(file)?.[1] ?? []);
}

/** Parses the templates in a folder, which may not exist.  @returns each file with its syntax error, if any */
export async function parseMailTemplates(
  folder: string,
): Promise<readonly { readonly file: string; readonly error?: LiquidError }[]> {
  const names = (await readdir(folder).catch(ignoreNotFound)) ?? [];
  const files = names.filter((name) => name.endsWith(".liquid")).sort();
  return Promise.all(
    files.map(async (file) => {
      const source = await readFile(join(folder, file), "utf8");
      try {
        createEngine({}).parse(source, file);
        return { file };
      } catch (error) {
        if (!LiquidError.is(error, "syntax")) throw error;
        return { file, error };
      }
    }),
  );
}

interface TemplateFile {
  readonly file: string;
  readonly source: string;
}

async function findTemplate(
  folder: string,
  name: string,
  locale: string,
  kind: "txt" | "html",
): Promise<TemplateFile | undefined> {
  for (const file of [`${name}.${locale}.${kind}.liquid`, `${name}.${kind}.liquid`]) {
    try {
      return { file: `notifications/${file}`, source: await readFile(join(folder, file), "utf8") };
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return undefined;
}

function render(
  { file, source }: TemplateFile,
  { locale, currency, globals, now, timezone }: MailRenderContext,
): string {
  const formatAmount = (value: unknown): unknown =>
    typeof value === "number" ? formatMoney(value, currency, locale) : value;
  const engine = createEngine({ filters: { money: formatAmount } });
  return engine.parse(source, file).render(globals, {
    meter: new Meter({ name: "mail", steps: MAX_TEMPLATE_STEPS, milliseconds: RENDER_TIMEOUT_MS }),
    now,
    timeZone: timezone,
    locale,
    partial: (name) =>
      engine.parse(readFileSync(join(builtInFolder, "snippets", `${basename(name)}.liquid`), "utf8"), name),
  });
}

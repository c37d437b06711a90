import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { createInterface } from "node:readline";
import { findCountry } from "../pricing/countries.ts";
import { capitalize } from "../runtime/capitalize.ts";
import { SetupError } from "../setup-error.ts";
import type { CommandIo } from "./io.ts";

/** Answers about a new shop, from options of `vitrine init` or from its user. */
export interface InitAnswers {
  readonly name?: string | undefined;
  /** ISO 3166-1 code. */
  readonly country?: string | undefined;
  /** Default language, such as "de". */
  readonly language?: string | undefined;
  /** Path of a product export from another shop system. */
  readonly export?: string | undefined;
}

type AnswerName = keyof InitAnswers;

/**
 * Returns the given flags, and asks the user for the missing ones if there is a terminal.
 * @param flagValues values of `--name`, `--country`, `--language`, and `--import`
 * @param dir folder of the new store
 * @throws SetupError for an invalid flag
 */
export async function readInitAnswers(flagValues: InitAnswers, dir: string, io: CommandIo): Promise<InitAnswers> {
  const answers: { -readonly [Key in AnswerName]?: string } = {};
  for (const [flag, answer] of Object.entries(flagValues) as [AnswerName, string | undefined][]) {
    if (answer === undefined) continue;
    const result = parseAnswer(createQuestions(io)[flag], answer);
    if ("error" in result) throw new SetupError(`--${flag === "export" ? "import" : flag}: ${result.error}`);
    if (result.value !== undefined) answers[flag] = result.value;
  }
  using prompter = createPrompter(io);
  if (prompter === undefined) return answers;
  return await askQuestions(prompter, answers, createQuestions(io), toShopName(basename(dir)));
}

async function askQuestions(
  prompter: Prompter,
  answers: InitAnswers,
  questions: QuestionTable,
  suggestedName: string,
): Promise<InitAnswers> {
  const name = answers.name ?? (await prompter.ask({ ...questions.name, suggestion: suggestedName }));
  const country = answers.country ?? (await prompter.ask(questions.country));
  const likelyLanguage = country === undefined ? "en" : new Intl.Locale(`und-${country}`).maximize().language;
  const language = answers.language ?? (await prompter.ask({ ...questions.language, suggestion: likelyLanguage }));
  return { name, country, language, export: answers.export ?? (await prompter.ask(questions.export)) };
}

/** Returns a name for the shop in a folder: "my-shop" -> "My shop". */
function toShopName(folder: string): string {
  return capitalize(folder.replaceAll(/[-_]+/g, " ").trim());
}

type QuestionTable = Readonly<Record<AnswerName, Question>>;

function createQuestions({ cwd }: CommandIo): QuestionTable {
  return {
    name: {
      text: "Name of the shop",
      parse: (answer) => ({ value: answer.slice(0, 200) }),
    },
    country: {
      text: "Country of the shop, such as Germany or DE",
      parse(answer) {
        const country = findCountry(answer, "en");
        return country === undefined
          ? { error: `"${answer.slice(0, 50)}" is not a country. Use a code such as DE.` }
          : { value: country };
      },
    },
    language: {
      text: "Language of the shop, such as en, de, or fr",
      parse(answer) {
        return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(answer)
          ? { value: answer }
          : { error: `"${answer.slice(0, 50)}" is not a language. Use a code such as de or pt-BR.` };
      },
    },
    export: {
      text: "Product export of Shopify, WooCommerce, Squarespace, or Google, or nothing to start with examples",
      parse(answer) {
        const file = resolve(cwd, answer.replace(/^(["'])(.*)\1$/, "$2"));
        return existsSync(file) ? { value: file } : { error: `${file} does not exist.` };
      },
    },
  };
}

interface Question {
  readonly text: string;
  /** Default answer, which is shown in brackets and used for an empty line. */
  readonly suggestion?: string | undefined;
  /** Returns the value of an answer that is not empty, or an error message. */
  readonly parse: (answer: string) => { readonly value: string } | { readonly error: string };
}

/** Returns the value of an answer, which is undefined for an empty one, or an error message. */
function parseAnswer(
  { parse }: Question,
  answer: string,
): { readonly value: string | undefined } | { readonly error: string } {
  return answer === "" ? { value: undefined } : parse(answer);
}

/** Asks the user of a terminal. After the end of the input, all answers are empty. */
interface Prompter extends Disposable {
  ask(question: Question): Promise<string | undefined>;
}

/** @returns undefined without a terminal */
function createPrompter({ stdin, stderr }: CommandIo): Prompter | undefined {
  if (stdin?.isTTY !== true) return undefined;
  const lines = createInterface({ input: stdin });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask(question) {
      const { text, suggestion = "" } = question;
      for (;;) {
        stderr.write(`${text}${suggestion === "" ? "" : ` [${suggestion}]`}: `);
        const { value, done = false } = (await answers.next()) as IteratorResult<string, undefined>;
        const result = parseAnswer(question, (value ?? "").trim() || suggestion);
        if ("value" in result) return result.value;
        stderr.write(`${result.error}\n`);
        if (done) throw new Error(result.error);
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}

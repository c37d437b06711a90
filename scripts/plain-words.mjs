// Counts markers of unusual English per 1,000 words of comments, documents and messages, and per 1,000 declared names.
// `npm run lint` runs it. CONTRIBUTING.md explains how to write.
//
//   node scripts/plain-words.mjs [dir] [--table] [--markers] [--all] [--worst N] [--kind comments|docs|strings]
//
//   --table    prints the rates by folder, also if they are within the budget
//   --markers  prints the count of each marker (with --table)
//   --all      includes folders of fewer than 1,000 words (with --table)
//   --worst N  prints N texts instead of 30
//   --kind K   lists texts of one kind (default: comments)
//
// Exits with 1 if the budget is exceeded, with 2 if there is nothing to count. A file with "plain-words: skip" in its
// first 300 characters is not counted.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative, resolve } from "node:path";

/**
 * Limits. total, folder: markers per 1,000 words. `folder` applies to folders of at least MIN_WORDS words. heavy: texts
 * with 3 or more markers and more than one in 20 words, per 20,000 words. names: dialect words per 1,000 declared
 * names.
 */
const BUDGET = { total: 2, folder: 4, heavy: 1, names: 5 };
const MIN_WORDS = 1000;

/** Patterns for comments, documents and message strings. They ignore case unless noted. */
const markers = {
  "told / tells": /\b(?:told|tells?|telling)\b(?! (?:the (?:compiler|browser|server|user)|you|us)\b)/gi,
  "says / said":
    /\b(?:as .{1,20} says|says (?:how|what|which|where|whether|so|of|nothing|itself)|was said|is said)\b/gi,
  anew: /\banew\b/gi,
  "let go": /\blet(?:s|ting)? (?:it |them |one )?go\b/gi,
  "nobody / somebody": /\b(?:nobody|somebody|whoever|whomever)\b/gi,
  "who + verb as noun": /(?:^|[.;:,] |\b(?:to|for|by|from|of|as) )who (?:\w+s|has|have|is|are|was|were|\w+ed)\b/gi,
  whatever: /\b(?:whatever (?!you\b)|however (?:often|many|much|long|deep|wide|it|they)|wherever)\b/gi,
  "beside / aside": /\b(?:beside|aside(?! from))\b/gi,
  "of its own": /\b(?:of (?:its|their|our|one's) own|for itself|by itself|by themselves|for themselves)\b/gi,
  otherwise: /\b(?:otherwise than|(?:is|are|was|were|be) otherwise|is another|are others)\b/gi,
  "so many": /\b(?:so many|so much|as many as (?:there|it|they)|many as|ever so)\b/gi,
  "none / nothing as predicate":
    /\b(?:(?:is|are|was|were|be|has|have|there|where|makes?|gives?|holds?|finds?|knows?) (?:none|nothing(?! (?:to|in|left))|nobody|no more)|(?:of|to|for|by) (?:none|nobody)|none (?:is|are|was|were|has|have))\b/gi,
  "where it / there is none": /\bwhere (?:none|nothing|nobody|one|some|it|they|that|there)\b/gi,
  "absent:": /\b(?:absent|undefined|null|""): (?:it|they|there|no|none|nothing|nobody|not|all|the|what)\b/gi,
  "came to / became of":
    /\b(?:c[ao]mes? (?:to (?:nothing|something|be)|of (?:it|them|that|which)|in between)|bec[ao]mes? of)\b/gi,
  "by now / by then": /\b(?:by (?:now|then)|of late|lately|in good time|long ago)\b/gi,
  "go on / goes on": /\b(?:goes on|went on|gone on|go on)\b/gi,
  "as it was":
    /\bas (?:(?:it|they) (?:stands?|came|comes?|lies?|was (?:read|written|typed|sent|left|before|then)|(?:is|are|was|were) now)|who|one)\b/gi,
  "be it": /\bbe (?:it|they)\b/gi,
  "to be had":
    /\b(?:can|could|to|cannot) be had\b|\bis had\b|\bat hand\b|\bbring(?:s|ing)? .{0,12}home\b|\bbrought home\b/gi,
  "must not / need not": /\bneeds? not\b|\bshall\b(?! not)|\bought to\b/gi,
  "lapse / stranger / crowd": /\b(?:lapse[sd]?|lapsing|strangers?|crowd|shelf|shelves|mend(?:s|ed)?|ragged)\b/gi,
  "those who / of whom": /\b(?:those (?:who|that|of)|of whom|for whom|in whose|to whom)\b/gi,
  "stands / bears":
    /\b(?:stands? (?:for it|there|where|beside|in (?:it|the|some|a)|before|behind|between|after|as)|bears?|lies? (?:in|over|there|beside|between|at|on|as))\b/gi,
  "look(s) again": /\b(?:looks? (?:again|anew|round|by)|looked (?:at|for again)|a look\b|one look)\b/gi,
  "the one / the others": /\b(?:one after the other|the one (?:that|who|before|after|which)|the (?:one|ones) of)\b/gi,
  "which is where 'that'": /\b(?:of which (?:there|it|a|the|one|some|most|all)|which (?:tells|says|nobody|none))\b/gi,
};

/** Patterns for the first words of a comment. */
const openers =
  /^(?:what|who|whose|whoever|whatever|where|of|those|that|the same|as|told|told of|by which|in which|under which|to whom|from which|on which|for which)\b(?! (?:if|long|far|soon|well|course)\b)/i;

/** Patterns for the words of declared names and file names. */
const names =
  /^(?:told|tells?|telling|kept|asked|wants|wanted|faults?|looks?|others|nobody|nothing|anew|begun|arrived|alike|lapses?|lapsed|stranger|whole|wholes|most|fewest|said|says|taken|refused|refusal|refusals|aside|beside|goon|anyway|whose|soon|enough|lifts?|suspects?|ragged|trails?|tidy|tidying|tidied|spoilt|surely|sureness|met|gone|bring|brought|drawn|given|own|held|bought|learned|picture|pictures)$/;

/** Patterns for JSON texts that shoppers read. */
const shopper =
  /\b(?:look round|look along|shel(?:f|ves)|goes to|is with us|front door|catch your eye|cannot be told|to be had|not made like|sold singly|posted|worked out|nothing is|there is (?:no|nothing)|the shop could)\b/gi;

const skipFolders =
  /^(?:node_modules|\.git|dist|build|target|vendor|coverage|data|testdata|fixtures?|generated|judged)$/;
const skipFiles = /(?:\.min\.js|package-lock\.json|kernel-code\.ts)$/;
const documents = new Set([".md", ".liquid", ".yaml", ".json"]);
const code = new Set([".ts", ".tsx", ".js", ".mjs", ".go", ".rs", ".java", ".c", ".css"]);

function* filesIn(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      if (!skipFolders.test(entry.name)) yield* filesIn(path);
    } else if (entry.isFile() && !skipFiles.test(path) && statSync(path).size < 2_000_000) yield path;
  }
}

const lineAt = (text, index) => text.slice(0, index).split("\n").length;

/** Removes code spans, links, tags of doc comments and other text that is not prose. */
function prose(text) {
  return text
    .replace(/^[ \t]*(?:\*|\/\/[/!]?)[ \t]?/gm, "")
    .replace(/\{@link [^}]*\}|`[^`]*`|https?:\/\/\S+|\]\([^)]*\)/g, " X ")
    .replace(/@(?:param|typeParam|template)\s+\S+/g, " ")
    .replace(/@(?:returns?|throws|see)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Yields the comments of a source file. Line comments on consecutive lines are one comment. */
function* commentsIn(text) {
  const pattern = /(?<=^|[\s;{}(,])\/\*[*!]?([\s\S]*?)\*\/|(?:^[ \t]*\/\/[^\n]*\n?)+|(?<=[\s;{}])\/\/[ \t][^\n]*$/gm;
  for (const match of text.matchAll(pattern)) yield { index: match.index, text: prose(match[1] ?? match[0]) };
}

/** Yields string literals that look like a sentence: at least four words, no SQL, no markup. */
function* messagesIn(text) {
  const source = text.replace(/\/\*[\s\S]*?\*\/|^[ \t]*\/\/[^\n]*$/gm, (comment) => comment.replace(/[^\n]/g, " "));
  for (const match of source.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n]){12,400})\1/g)) {
    const value = match[2].replace(/\$\{[^}]*\}/g, "X");
    const isSentence = /^[A-Za-z"“][\w'’,;:()\-– ".X%#@]*$/.test(value) && value.split(/\s+/).length >= 4;
    const isCode = /^(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|FROM|WHERE|AND)\b|[{}<>=]|=>|^import /.test(
      value,
    );
    if (isSentence && !isCode) yield { index: match.index, text: value };
  }
}

/** Yields the paragraphs of a Markdown file, without fenced code. */
function* paragraphsIn(text) {
  const plain = text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ""));
  for (const match of plain.matchAll(/(?:[^\n]+\n?)+/g))
    for (const part of match[0].matchAll(
      /^[|>][^\n]*|^[ \t]*(?:[-*+]|\d+\.)[ \t](?:[^\n]+\n?(?![ \t]*(?:[-*+]|\d+\.)[ \t]|[|>]))*(?:[^\n]+)?|(?:^(?![|>])[^\n]+\n?(?![ \t]*(?:[-*+]|\d+\.)[ \t]|[|>]))+/gm,
    ))
      yield { index: match.index + part.index, text: prose(part[0].replace(/^[#>*\-|\s]+|\|/gm, " ")) };
}

/** Yields the descriptions and summaries of an OpenAPI document. */
function* descriptionsIn(text) {
  for (const match of text.matchAll(
    /(?<=[\s{,])(?:description|summary): *(?:"((?:\\.|[^"\\])*)"|([^\n"|>{][^\n]*)|[|>][-+]?\n((?:[ \t]+[^\n]*\n)+?)(?=[ \t]*\S+:))/g,
  ))
    yield { index: match.index, text: prose(match[1] ?? match[2] ?? match[3]) };
}

/** Yields the declared names of a source file and its file name, as lists of lower-case words. */
function* namesIn(path, text) {
  const wordsOf = (name) => (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
  yield { name: basename(path), words: wordsOf(basename(path).split(".")[0]), index: 0 };
  const declaration =
    /\b(?:const|let|var|function\*?|class|interface|type|func|fn|struct|enum|trait|readonly|static)\s+(?:\([^)]*\)\s*)?(?:mut\s+)?#?([A-Za-z_]\w+)/g;
  const source = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, " "));
  for (const match of source.matchAll(declaration))
    yield { name: match[1], words: wordsOf(match[1]), index: match.index };
}

function* textsIn(path, text) {
  const extension = extname(path);
  const isCode = code.has(extension);
  if (text.slice(0, 300).includes("plain-words: skip")) return;
  if (isCode) {
    for (const one of commentsIn(text)) yield { ...one, kind: "comments", source: text };
    if (!/\.test\.|_test\.|\.fixture\./.test(path) && extension !== ".css")
      for (const one of messagesIn(text)) yield { ...one, kind: "strings", source: text };
  } else if (extension === ".md") {
    for (const one of paragraphsIn(text)) yield { ...one, kind: "docs", source: text };
  } else if (extension === ".liquid") {
    for (const match of text.matchAll(
      /\{%-?\s*(?:comment|doc)\s*-?%\}([\s\S]*?)\{%-?\s*end(?:comment|doc)|\{%-?\s*#([^%]*)%\}/g,
    ))
      yield { index: match.index, text: prose(match[1] ?? match[2]), kind: "comments", source: text };
  } else if (extension === ".yaml" && /^openapi/m.test(text)) {
    for (const one of descriptionsIn(text)) yield { ...one, kind: "docs", source: text };
  } else if (extension === ".json" && /locales\/en\b[^/]*\.json$/.test(path)) {
    for (const match of text.matchAll(/: "((?:\\.|[^"\\])*)"/g))
      yield { index: match.index, text: match[1], kind: "strings", source: text, isShopper: true };
  }
}

function hitsIn({ text, kind, isShopper }, count) {
  let hits = 0;
  const add = (name, number) => {
    if (number === 0) return;
    hits += number;
    count.set(name, (count.get(name) ?? 0) + number);
  };
  for (const [name, pattern] of Object.entries(markers)) add(name, text.match(pattern)?.length ?? 0);
  if (kind === "comments") add("opens with a relative clause", openers.test(text) ? 1 : 0);
  if (isShopper) add("shopper text", text.match(shopper)?.length ?? 0);
  return hits;
}

const args = process.argv.slice(2);
const optionOf = (name, fallback) => (args.includes(name) ? args[args.indexOf(name) + 1] : fallback);
const worstCount = Number(optionOf("--worst", 30));
const worstKind = optionOf("--kind", "comments");
const root = resolve(
  args.find((arg, at) => !arg.startsWith("--") && !["--worst", "--kind"].includes(args[at - 1])) ?? ".",
);
const folders = new Map();
const kinds = new Map();
const found = [];
const byMarker = new Map();
const byName = new Map();
let declared = 0;
let dialectNames = 0;
let words = 0;
let hits = 0;
if (!existsSync(root)) {
  console.error(`no such directory: ${root}`);
  process.exit(2);
}
for (const path of filesIn(root)) {
  if (!code.has(extname(path)) && !documents.has(extname(path))) continue;
  const text = readFileSync(path, "utf8");
  if (code.has(extname(path)) && extname(path) !== ".css" && !/\.test\.|_test\.|\.fixture\./.test(path))
    for (const one of namesIn(path, text)) {
      declared += 1;
      if (!one.words.some((word) => names.test(word))) continue;
      dialectNames += 1;
      byName.set(one.name, (byName.get(one.name) ?? 0) + 1);
    }
  const parts = relative(root, path).split("/");
  const folder = parts.length === 1 ? "." : parts.slice(0, Math.min(2, parts.length - 1)).join("/");
  for (const one of textsIn(path, text)) {
    const length = one.text.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;
    if (length === 0) continue;
    const number = hitsIn(one, byMarker);
    words += length;
    hits += number;
    for (const [map, key] of [
      [folders, folder],
      [kinds, one.kind],
    ]) {
      const sum = map.get(key) ?? { words: 0, hits: 0 };
      map.set(key, { words: sum.words + length, hits: sum.hits + number });
    }
    if (number > 0)
      found.push({
        number,
        share: number / length,
        kind: one.kind,
        place: `${relative(root, path)}:${lineAt(one.source, one.index)}`,
        text: one.text,
      });
  }
}

const rate = (sum) => (sum.words === 0 ? 0 : (1000 * sum.hits) / sum.words);
const row = (name, sum) =>
  `${name.padEnd(32)} ${String(sum.words).padStart(8)} ${String(sum.hits).padStart(6)} ${rate(sum).toFixed(1).padStart(7)}`;

const problems = [];
if (rate({ words, hits }) > BUDGET.total) problems.push(`total above ${BUDGET.total} per 1,000 words`);
for (const [name, sum] of folders)
  if (sum.words >= MIN_WORDS && rate(sum) > BUDGET.folder)
    problems.push(`${name} above ${BUDGET.folder} per 1,000 words`);
const heavy = found.filter(({ number, share }) => number >= 3 && share > 1 / 20).length;
const allowed = Math.max(1, Math.floor((BUDGET.heavy * words) / 20_000));
if (heavy > allowed) problems.push(`${heavy} texts of 3 or more markers, and one in 20 words (allowed: ${allowed})`);
const nameRate = rate({ words: declared, hits: dialectNames });
if (nameRate > BUDGET.names)
  problems.push(`names: ${nameRate.toFixed(1)} per 1,000 declared (allowed: ${BUDGET.names})`);
if (problems.length > 0 || args.includes("--table")) {
  console.log(`${"folder".padEnd(32)}    words   hits  /1,000`);
  for (const [name, sum] of [...folders].sort((one, other) => rate(other[1]) - rate(one[1])))
    if (sum.words >= MIN_WORDS || args.includes("--all")) console.log(row(name, sum));
  for (const [name, sum] of kinds) console.log(row(`(all ${name})`, sum));
  console.log(row(`TOTAL ${basename(root)}`, { words, hits }));
  if (args.includes("--markers"))
    for (const [name, number] of [...byMarker].sort((one, other) => other[1] - one[1]))
      console.log(
        `  ${name.padEnd(32)} ${String(number).padStart(6)} ${((1000 * number) / words).toFixed(2).padStart(7)}`,
      );
  console.log(row("(declared names)", { words: declared, hits: dialectNames }));
  if (args.includes("--markers"))
    console.log(
      `  ${[...byName]
        .sort((one, other) => other[1] - one[1])
        .slice(0, 120)
        .map(([name, number]) => `${name} ${number}`)
        .join(", ")}`,
    );
  const weightOf = ({ number, share }) => number * share ** 0.5;
  const worst = found
    .filter(({ kind }) => kind === worstKind)
    .sort((one, other) => weightOf(other) - weightOf(one))
    .slice(0, worstCount);
  console.log(`\nThe ${worst.length} worst ${worstKind}:`);
  for (const { number, place, text } of worst)
    console.log(`${number}  ${place}  ${text.length > 160 ? `${text.slice(0, 157)}...` : text}`);
}
for (const problem of problems) console.error(`FAIL ${problem}`);
if (words === 0) console.error("no text found");
process.exitCode = words === 0 ? 2 : problems.length > 0 ? 1 : 0;

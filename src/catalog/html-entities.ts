/** A text with its character references (`&eacute;`, `&#233;`, `&#xe9;`) as the characters they stand for. Known are the names of
 *  HTML 4, and of HTML 5 those of letters with an accent; others stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return named.get(name) ?? accented(name) ?? whole;
      return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    },
  );
}

/** What is no character, or a control character, is a blank. */
function character(code: number): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return " ";
  const isWindows = code >= 0x80 && code <= 0x9f;
  const text = isWindows ? windows1252.decode(Uint8Array.of(code)) : String.fromCodePoint(code);
  return /\p{Cc}/u.test(text) ? " " : text;
}

/** Browsers read the numbers 128 to 159 as this encoding has them. */
const windows1252 = new TextDecoder("windows-1252");

/** "eacute" -> "é": a letter and the name of its accent. */
function accented(name: string): string | undefined {
  const accent = accents.get(name.slice(1));
  if (accent === undefined) return undefined;
  const letter = `${name.charAt(0)}${accent}`.normalize("NFC");
  return letter.length === 1 ? letter : undefined;
}

const accents: ReadonlyMap<string, string> = new Map([
  ["grave", "\u0300"],
  ["acute", "\u0301"],
  ["circ", "\u0302"],
  ["tilde", "\u0303"],
  ["macr", "\u0304"],
  ["breve", "\u0306"],
  ["dot", "\u0307"],
  ["uml", "\u0308"],
  ["ring", "\u030a"],
  ["dblac", "\u030b"],
  ["caron", "\u030c"],
  ["cedil", "\u0327"],
  ["ogon", "\u0328"],
]);

const named: ReadonlyMap<string, string> = new Map([
  ...inOrder(0xa0, "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr"),
  ...inOrder(0xb0, "deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest"),
  ...inOrder(0x391, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"),
  ...inOrder(0x3a3, "Sigma Tau Upsilon Phi Chi Psi Omega"),
  ...inOrder(0x3b1, "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf"),
  ...inOrder(0x3c3, "sigma tau upsilon phi chi psi omega"),
  ...Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    AElig: "Æ",
    aelig: "æ",
    OElig: "Œ",
    oelig: "œ",
    szlig: "ß",
    Oslash: "Ø",
    oslash: "ø",
    ETH: "Ð",
    eth: "ð",
    THORN: "Þ",
    thorn: "þ",
    Lstrok: "Ł",
    lstrok: "ł",
    Dstrok: "Đ",
    dstrok: "đ",
    imath: "ı",
    inodot: "ı",
    fnof: "ƒ",
    times: "×",
    divide: "÷",
    circ: "ˆ",
    tilde: "˜",
    ensp: "\u2002",
    emsp: "\u2003",
    thinsp: "\u2009",
    zwnj: "\u200c",
    zwj: "\u200d",
    lrm: "\u200e",
    rlm: "\u200f",
    ndash: "–",
    mdash: "—",
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    dagger: "†",
    Dagger: "‡",
    bull: "•",
    hellip: "…",
    permil: "‰",
    prime: "′",
    Prime: "″",
    lsaquo: "‹",
    rsaquo: "›",
    oline: "‾",
    frasl: "⁄",
    euro: "€",
    trade: "™",
    larr: "←",
    uarr: "↑",
    rarr: "→",
    darr: "↓",
    harr: "↔",
    minus: "−",
    radic: "√",
    infin: "∞",
    asymp: "≈",
    ne: "≠",
    le: "≤",
    ge: "≥",
    sum: "∑",
    prod: "∏",
    sdot: "⋅",
    loz: "◊",
    spades: "♠",
    clubs: "♣",
    hearts: "♥",
    diams: "♦",
    check: "✓",
    num: "#",
    percnt: "%",
    plus: "+",
    equals: "=",
    comma: ",",
    period: ".",
    colon: ":",
    semi: ";",
    excl: "!",
    quest: "?",
    lpar: "(",
    rpar: ")",
    sol: "/",
  }),
]);

/** Names of characters that follow one another. */
function inOrder(first: number, names: string): [string, string][] {
  return names.split(" ").map((name, index) => [name, String.fromCodePoint(first + index)]);
}

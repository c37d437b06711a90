import type { Random } from "../../bench/random.ts";
import type { Headers } from "../support/client.ts";
import { createRequest, isForm, type RouteRequest } from "./route-requests.ts";
import type { RouteRow } from "./route-table.ts";

/** Texts that parsers, templates, SQL, paths, and HTML treat specially. */
const texts: readonly string[] = [
  ...[
    "",
    " ",
    "\0",
    "a\0b",
    "\u200b",
    "\ud800",
    "\ufeff",
    "\u202e",
    "ﷺ",
    "İ",
    "ß",
    "e\u0301",
    "👩‍👩‍👧",
    "\r\nSet-Cookie: a=b",
  ],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "true", "[object Object]"],
  ...["0", "-1", "-0", "1.5", "1e9", "0x10", "NaN", "Infinity", "9007199254740993", "99999999999999999999", "٣", "1,5"],
  ...["' OR 1=1--", '"; DROP TABLE carts; --', "%", "_", "\\", "*", "(", "a:b", "NEAR(", '"', "$1", "$ne"],
  ...[
    "<script>alert(1)</script>",
    '"><img src=x>',
    "{{ 7 | times: 7 }}",
    "{% render 'x' %}",
    "#{7*7}",
    "javascript:alert(1)",
  ],
  ...[
    "../../etc/passwd",
    "..\\..\\x",
    "/",
    "//evil.test",
    "/\\evil.test",
    "https://evil.test/",
    ".",
    "..",
    "a/b",
    "?",
    "#",
    "%2e%2e",
  ],
  ...["x".repeat(300), "x".repeat(5_000), "é".repeat(1_000), "a ".repeat(500), "[".repeat(200), "10:1,".repeat(200)],
];

/** Raw fragments of URLs, which are not encoded again. */
const rawTexts: readonly string[] = [
  "%",
  "%zz",
  "%00",
  "%FF",
  "%C0%80",
  "%ud83d",
  "%2f",
  "%5c",
  ";x=1",
  "&&",
  "=",
  "+",
  "%F0%9F%98%80",
];

const numbers: readonly unknown[] = [
  0,
  -1,
  1.5,
  1e21,
  Number.MIN_VALUE,
  2 ** 31,
  2 ** 53,
  Number.MAX_SAFE_INTEGER,
  0.1 + 0.2,
];

const headerNames = [
  "cookie",
  "accept-language",
  "accept",
  "if-match",
  "if-none-match",
  "range",
  "idempotency-key",
  "x-forwarded-host",
  "x-forwarded-for",
  "forwarded",
  "origin",
  "referer",
  "sec-fetch-site",
  "x-csrf-token",
  "traceparent",
  "user-agent",
  "x-http-method-override",
  "content-type",
  "content-encoding",
  "authorization",
];

const contentTypes = [
  "",
  "text/plain",
  "application/json",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "application/jsonx",
  "application/xml",
];

/**
 * Returns a damaged request: a valid one of a route with one to three mutations of its path, query, headers, or body.
 * Headers contain only characters that HTTP permits.
 */
export function createGarbage(random: Random, row: RouteRow): RouteRequest {
  let request = createRequest(row);
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const mutations = [
      mutatePath,
      mutateQuery,
      mutateQuery,
      mutateHeaders,
      ...(row.body === undefined ? [] : bodyMutations),
    ];
    request = random.pick(mutations)(random, request, row);
  }
  return request;
}

type Mutation = (random: Random, request: RouteRequest, row: RouteRow) => RouteRequest;

const pickText = (random: Random): string => random.pick(texts);

const mutatePath: Mutation = (random, request) => {
  const [path = "", ...query] = request.path.split("?");
  const segments = path.split("/");
  const index = 1 + random.below(segments.length - 1);
  const text = random.below(4) === 0 ? random.pick(rawTexts) : encode(pickText(random));
  const newPath = segments.with(index, random.below(3) === 0 ? `${segments[index]}${text}` : text).join("/");
  const prefix = random.pick(["", "", "", "/fr", "/xx"]);
  return { ...request, path: [`${prefix}${newPath}`, ...query].join("?") };
};

const mutateQuery: Mutation = (random, request) => {
  const [path = "", query = ""] = request.path.split("?");
  const parts = query.split("&").filter(Boolean);
  const names = [
    ...parts.map((part) => part.split("=")[0] ?? ""),
    "page",
    "limit",
    "section_id",
    "sections",
    "locale",
    "q",
  ];
  const name = random.pick([...names, ...names, encode(pickText(random))]);
  const bracket = random.pick(["", "", "", "[]", "[a]", "[", "[__proto__]", "[][b]"]);
  const value = random.below(4) === 0 ? random.pick(rawTexts) : encode(pickText(random));
  const added = `${name}${bracket}=${value}`;
  const kept = random.below(2) === 0 ? parts : parts.filter((part) => !part.startsWith(`${name}=`));
  return { ...request, path: `${path}?${[...kept, added].join("&")}` };
};

const mutateHeaders: Mutation = (random, request) => {
  const name = random.pick(headerNames);
  const value = name === "content-type" ? random.pick(contentTypes) : toHeaderValue(pickText(random));
  const signed = random.pick(["cart", "buy_now", "csrf_token", "visitor", "customer", "checkout", "console"]);
  const headers: Headers = {
    ...request.headers,
    [name]: name === "cookie" ? `${signed}=${value}; ${signed}=a.b.c` : value,
  };
  return { ...request, headers };
};

/** Replaces, removes, or adds a value anywhere in the body. */
const mutateValue: Mutation = (random, request, row) => {
  const body = structuredClone(row.body ?? {}) as Record<string, unknown>;
  let target = body;
  for (;;) {
    const nested = Object.values(target).filter((value) => typeof value === "object" && value !== null);
    if (nested.length === 0 || random.below(2) === 0) break;
    target = random.pick(nested) as Record<string, unknown>;
  }
  const name = random.pick([...Object.keys(target), pickText(random)]);
  if (random.below(5) === 0) delete target[name];
  else Object.defineProperty(target, name, { value: createValue(random, 3), enumerable: true, configurable: true });
  if (!isForm(row)) return { ...request, body: JSON.stringify(body) };
  const fields = Object.entries(body).map(([key, value]) => [
    key,
    typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
  ]);
  return { ...request, body: new URLSearchParams(fields).toString() };
};

/** Damages the bytes of the body. */
const mutateBytes: Mutation = (random, request) => {
  const bytes = Buffer.from(request.body ?? "");
  const position = random.below(bytes.length + 1);
  const damaged = [
    () => bytes.subarray(0, position),
    () => Buffer.concat([bytes.subarray(0, position), Buffer.from([random.below(256)]), bytes.subarray(position)]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.from(`\ufeff${bytes}`),
    () => Buffer.from(String(bytes), "utf16le"),
    () => Buffer.from(String(bytes).replace("{", '{"__proto__":{"polluted":1},"id":1,"id":2,')),
    () => Buffer.from("[".repeat(10_000)),
    () => Buffer.from(JSON.stringify(createValue(random, 4)) ?? ""),
    () => Buffer.from("a=1&a[]=2&a[b]=3&=&&%zz=%&__proto__[polluted]=1"),
    () => Buffer.from('--x\r\nContent-Disposition: form-data; name="a"; filename="../x"\r\n\r\n\0\r\n--x--'),
  ];
  return { ...request, body: random.pick(damaged)() };
};

const bodyMutations = [mutateValue, mutateValue, mutateValue, mutateBytes];

function createValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 8 : 5);
  if (kind < 3) return pickText(random);
  if (kind === 3) return random.pick(numbers);
  if (kind === 4) return random.pick([null, true, false]);
  const values = Array.from({ length: random.below(4) }, () => createValue(random, depth - 1));
  return kind < 7 ? values : Object.fromEntries(values.map((value) => [pickText(random), value]));
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Returns a text without characters that an HTTP client refuses to send. */
function toHeaderValue(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "").trim();
}

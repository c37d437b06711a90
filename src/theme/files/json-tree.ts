/** JSON with the place of each value, so that a fault in it can be pointed at. */
export type JsonNode = JsonObject | JsonList | JsonPlain;

export interface JsonObject {
  readonly kind: "object";
  /** Offset of the first letter. */
  readonly at: number;
  /** In the order of the text; a key that stands twice is there twice. */
  readonly entries: readonly JsonEntry[];
}

export interface JsonEntry {
  readonly key: string;
  /** Offset of the key. */
  readonly at: number;
  readonly value: JsonNode;
}

export interface JsonList {
  readonly kind: "list";
  readonly at: number;
  readonly items: readonly JsonNode[];
}

export interface JsonPlain {
  readonly kind: "plain";
  readonly at: number;
  readonly value: string | number | boolean | null;
}

/** Where a text stops being JSON. */
export class JsonFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Objects and lists in one another; a theme's files have ten. */
const maxDepth = 60;

/** @param text JSON; comments and needless commas may stand in it  @throws JsonFault */
export function readJsonTree(text: string): JsonNode {
  const reader = new JsonReader(text);
  const root = reader.value(0);
  reader.end();
  return root;
}

/** The last value of that key, as JSON has it. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === "object" ? node.entries.findLast((entry) => entry.key === key)?.value : undefined;
}

export function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === "list" ? node.items : [];
}

export function entriesOf(node: JsonNode | undefined): readonly JsonEntry[] {
  return node?.kind === "object" ? node.entries : [];
}

export function textValue(node: JsonNode | undefined): string | undefined {
  return node?.kind === "plain" && typeof node.value === "string" ? node.value : undefined;
}

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith("\uFEFF")) this.#at = 1;
  }

  value(depth: number): JsonNode {
    this.#blanks();
    const at = this.#at;
    if (depth > maxDepth) throw new JsonFault(`objects and lists stand more than ${maxDepth} deep in one another`, at);
    const first = this.#text[at];
    if (first === "{") return { kind: "object", at, entries: this.#entries(depth) };
    if (first === "[") return { kind: "list", at, items: this.#list("]", () => this.value(depth + 1)) };
    return { kind: "plain", at, value: this.#plain() };
  }

  end(): void {
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#fault("nothing may follow the JSON value");
  }

  #entries(depth: number): JsonEntry[] {
    return this.#list("}", () => {
      this.#blanks();
      const at = this.#at;
      if (this.#text[at] !== '"') throw this.#fault("expected a name in double quotes");
      const key = String(this.#plain());
      this.#blanks();
      if (this.#text[this.#at] !== ":") throw this.#fault(`expected ":" after "${key}"`);
      this.#at += 1;
      return { key, at, value: this.value(depth + 1) };
    });
  }

  #list<Item>(close: string, read: () => Item): Item[] {
    const items: Item[] = [];
    this.#at += 1;
    this.#blanks();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return items;
    }
    for (;;) {
      items.push(read());
      this.#blanks();
      const next = this.#text[this.#at];
      if (next === close) break;
      if (next !== ",") throw this.#fault(`expected "," or "${close}"`);
      this.#at += 1;
      this.#blanks();
      if (this.#text[this.#at] === close) break;
    }
    this.#at += 1;
    return items;
  }

  #plain(): string | number | boolean | null {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text)?.[0];
    try {
      if (found === undefined) throw new Error("no value");
      const value: unknown = JSON.parse(found);
      this.#at += found.length;
      return value as string | number | boolean | null;
    } catch {
      throw this.#fault("expected a value: an object, a list, a text in double quotes, a number, true, false or null");
    }
  }

  #blanks(): void {
    blanks.lastIndex = this.#at;
    this.#at += blanks.exec(this.#text)?.[0].length ?? 0;
  }

  #fault(message: string): JsonFault {
    return new JsonFault(this.#at >= this.#text.length ? `the text ends too early: ${message}` : message, this.#at);
  }
}

/** Theme editors write comments and needless commas into JSON. */
const blanks = /(?:[ \t\r\n]+|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/y;
const token = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

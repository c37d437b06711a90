import { Drop } from "../../liquid/values/drop.ts";
import { Listing } from "./listing.ts";

/** How each field of an object is worked out, when a template first reads it. */
export type Readers<Subject> = Readonly<Record<string, (subject: Subject) => unknown>>;

interface Reader<Subject> {
  /** Where objects keep the field once it was read. */
  readonly slot: number;
  readonly read: (subject: Subject) => unknown;
}

export interface ObjectType<Subject> {
  readonly name: string;
  readonly readers: ReadonlyMap<string, Reader<Subject>>;
  /** Fields that the `json` filter writes: those that lead to no other page's object. */
  readonly written: readonly string[];
  /** What tells two objects of this type apart; absent: nothing but themselves are equal. */
  readonly identity: ((subject: Subject) => unknown) | undefined;
}

export interface TypeDetails<Subject> {
  /** Fields that themes know and that have no value here, apart by blanks. */
  readonly absent?: string;
  /** Field -> name of the type that it leads to; "variant[]" for a list of them. */
  readonly returns?: Readonly<Record<string, string>>;
  readonly identity?: (subject: Subject) => unknown;
}

/** What a checker knows about an object: field -> name of the type it leads to, "" for a plain value. */
export type KnownFields = ReadonlyMap<string, string>;

/** Every type of object that was declared, by name. */
export const knownTypes: ReadonlyMap<string, KnownFields> = new Map();

/** Type -> how its fields are worked out; undefined: they have no value here. */
const declared: ReadonlyMap<string, ReadonlyMap<string, ((subject: never) => unknown) | undefined>> = new Map();

/** Whether a field has no value in any shop: nothing, or a list without items. */
export function isEmptyField(type: string, field: string): boolean {
  const fields = declared.get(type);
  if (fields?.has(field) !== true) return false;
  const read = fields.get(field) as (() => unknown) | undefined;
  // A reader that looks at nothing gives the same to all.
  const value = read === undefined || read.length > 0 ? undefined : read();
  return read === undefined || (Array.isArray(value) && value.length === 0);
}

/** @param data fields of the object itself  @param links fields that lead to other objects; `json` leaves them out */
export function objectType<Subject>(
  name: string,
  data: Readers<Subject>,
  links: Readers<Subject> = {},
  { absent = "", returns = {}, identity }: TypeDetails<Subject> = {},
): ObjectType<Subject> {
  const missing = absent.split(" ").filter((one) => one !== "");
  const names = [...Object.keys(data), ...Object.keys(links), ...missing];
  (declared as Map<string, unknown>).set(
    name,
    new Map(Object.entries({ ...Object.fromEntries(missing.map((field) => [field, undefined])), ...data, ...links })),
  );
  const fields = names.map((field) => [field, returns[field] ?? ""] as const);
  (knownTypes as Map<string, KnownFields>).set(name, new Map(fields));
  return {
    name,
    readers: new Map(
      Object.entries({ ...data, ...links }).map(([field, read], slot) => [field, { slot, read }] as const),
    ),
    written: Object.keys(data),
    identity,
  };
}

/** Names the fields of an object that `json` writes; a symbol, so that no template can call it. */
export const writtenFields: unique symbol = Symbol("written fields");
/** The listing behind a look-up, for `paginate`. */
export const listed: unique symbol = Symbol("listed");

/** Tells what an object was made from. */
export const subjectAs: unique symbol = Symbol("subject as");

/** An object of the theme's language: nothing but its type's fields can be read, each is worked out once.
 *  Two of them are equal where they stand for the same thing. */
export class TemplateObject<Subject> extends Drop {
  readonly #type: ObjectType<Subject>;
  readonly #subject: Subject;
  /** Fields that were read, by their slots; few are of most objects. */
  #read: unknown[] | undefined;

  constructor(type: ObjectType<Subject>, subject: Subject) {
    super();
    this.#type = type;
    this.#subject = subject;
  }

  /** Kind of object. */
  get object_type(): string {
    return this.#type.name;
  }

  field(key: string | number): unknown {
    const reader = this.#type.readers.get(key as string);
    if (reader === undefined) return key === "object_type" ? this.object_type : undefined;
    this.#read ??= new Array<unknown>(this.#type.readers.size);
    let value = this.#read[reader.slot];
    if (value === undefined) {
      value = reader.read(this.#subject);
      this.#read[reader.slot] = value;
    }
    return value instanceof Listing ? value.current() : value;
  }

  /** What it was made from, where it is of this type. */
  [subjectAs]<Other>(type: ObjectType<Other>): Other | undefined {
    return (this.#type as unknown) === type ? (this.#subject as unknown as Other) : undefined;
  }

  get [writtenFields](): readonly string[] {
    return this.#type.written;
  }

  override equals(other: unknown): boolean {
    if (other === this) return true;
    if (!(other instanceof TemplateObject)) return false;
    const { identity } = this.#type;
    return identity !== undefined && other.#type === this.#type && identity(other.#subject) === identity(this.#subject);
  }

  override isEmpty(): boolean | undefined {
    return this.field("empty?") === true;
  }
}

/** An object that prints and compares as a text: an option's value, a scheme of colours. */
export class TextObject<Subject> extends TemplateObject<Subject> {
  readonly #text: string;

  constructor(type: ObjectType<Subject>, subject: Subject, text: string) {
    super(type, subject);
    this.#text = text;
  }

  override toText(): string {
    return this.#text;
  }

  override toValue(): unknown {
    return this.#text;
  }
}

/** Finds things by name (`collections['tea']`), and may be looped over. */
export class LookUp extends Drop {
  readonly #find: (name: string) => unknown;
  readonly #listing: Listing | undefined;
  readonly #found = new Map<string, unknown>();

  constructor(find: (name: string) => unknown, listing?: Listing) {
    super();
    this.#find = find;
    this.#listing = listing;
  }

  field(key: string | number): unknown {
    if (this.#listing !== undefined && key === "size") return this.#listing.total();
    if (this.#listing !== undefined && key === "first") return this.#listing.current()[0];
    const name = String(key);
    let value = this.#found.get(name);
    if (value === undefined) {
      value = this.#find(name);
      this.#found.set(name, value);
    }
    return value;
  }

  override items(): readonly unknown[] {
    return this.#listing?.current() ?? [];
  }

  override isEmpty(): boolean | undefined {
    return this.#listing?.total() === 0;
  }

  get [listed](): Listing | undefined {
    return this.#listing;
  }
}

import { Drop } from "@vitrine/liquid";
import { Listing } from "./listing.ts";

/** Functions that compute the fields of an object. Each is called when a template first reads the field. */
export type FieldReaders<Subject> = Readonly<Record<string, (subject: Subject) => unknown>>;

interface FieldReader<Subject> {
  /** Index of the field in an object's cache. */
  readonly cacheIndex: number;
  readonly readField: (subject: Subject) => unknown;
}

export interface ObjectType<Subject> {
  readonly name: string;
  readonly readers: ReadonlyMap<string, FieldReader<Subject>>;
  /** Names of the fields that the `json` filter writes. Links to other objects are omitted. */
  readonly jsonFields: readonly string[];
  /**
   * Returns a value that identifies the object. Two objects of the type are equal if these values are equal. Without
   * this function, an object equals only itself.
   */
  readonly identity: ((subject: Subject) => unknown) | undefined;
}

export interface ObjectTypeDetails<Subject> {
  /** Names of fields that are always empty, separated by spaces. */
  readonly emptyFields?: string;
  /** Type of each field's value. "variant[]" means a list. */
  readonly fieldTypes?: Readonly<Record<string, string>>;
  readonly identity?: (subject: Subject) => unknown;
}

/** Type of each field, for theme checks. An empty string means a plain value such as a string. */
export type KnownFields = ReadonlyMap<string, string>;

/** Fields of all declared object types, by type name. */
export const knownTypes: ReadonlyMap<string, KnownFields> = new Map();

/** Functions that compute the fields, by object type and field name. Undefined for fields that are always empty. */
const declaredGetters: ReadonlyMap<string, ReadonlyMap<string, ((subject: never) => unknown) | undefined>> = new Map();

/** Returns whether a field is nil or an empty list in every shop. */
export function isEmptyField(type: string, field: string): boolean {
  const fields = declaredGetters.get(type);
  if (fields?.has(field) !== true) return false;
  const getter = fields.get(field) as (() => unknown) | undefined;
  // A function without a parameter returns the same value for every object.
  const constantValue = getter === undefined || getter.length > 0 ? undefined : getter();
  return getter === undefined || (Array.isArray(constantValue) && constantValue.length === 0);
}

/**
 * Declares an object type.
 * @param data fields that the `json` filter writes
 * @param links fields that return other objects, which the `json` filter omits
 */
export function createObjectType<Subject>(
  name: string,
  data: FieldReaders<Subject>,
  links: FieldReaders<Subject> = {},
  { emptyFields = "", fieldTypes = {}, identity }: ObjectTypeDetails<Subject> = {},
): ObjectType<Subject> {
  const emptyFieldNames = emptyFields.split(" ").filter((name) => name !== "");
  const names = [...Object.keys(data), ...Object.keys(links), ...emptyFieldNames];
  (declaredGetters as Map<string, unknown>).set(
    name,
    new Map(
      Object.entries({ ...Object.fromEntries(emptyFieldNames.map((field) => [field, undefined])), ...data, ...links }),
    ),
  );
  const fields = names.map((field) => [field, fieldTypes[field] ?? ""] as const);
  (knownTypes as Map<string, KnownFields>).set(name, new Map(fields));
  return {
    name,
    readers: new Map(
      Object.entries({ ...data, ...links }).map(
        ([field, readField], cacheIndex) => [field, { cacheIndex, readField }] as const,
      ),
    ),
    jsonFields: Object.keys(data),
    identity,
  };
}

/** Key for the names of the fields that `json` writes. It is a symbol, which templates cannot read. */
export const jsonFieldNames: unique symbol = Symbol("JSON field names");
/** Key for the list of items in a lookup object, which `paginate` splits into pages. */
export const listingSymbol: unique symbol = Symbol("lookup listing");

/** Key of the method that returns the data of an object. It is a symbol, which templates cannot read. */
export const getSubject: unique symbol = Symbol("get subject");

/**
 * An object in templates. Templates can read only the fields of its type, and each field is computed once. In Liquid,
 * two objects of the same type are equal if the type's `identity` function returns the same value for both.
 */
export class TemplateObject<Subject> extends Drop {
  readonly #objectType: ObjectType<Subject>;
  readonly #subject: Subject;
  /** Values of the fields read so far, by index. Undefined until the first read. */
  #fieldValues: unknown[] | undefined;

  constructor(type: ObjectType<Subject>, subject: Subject) {
    super();
    this.#objectType = type;
    this.#subject = subject;
  }

  get object_type(): string {
    return this.#objectType.name;
  }

  field(key: string | number): unknown {
    const reader = this.#objectType.readers.get(key as string);
    if (reader === undefined) return key === "object_type" ? this.object_type : undefined;
    this.#fieldValues ??= new Array<unknown>(this.#objectType.readers.size);
    let value = this.#fieldValues[reader.cacheIndex];
    if (value === undefined) {
      value = reader.readField(this.#subject);
      this.#fieldValues[reader.cacheIndex] = value;
    }
    return value instanceof Listing ? value.getItems() : value;
  }

  /** Returns the handle, by which older themes find the object of a setting: `collections[section.settings.sale]`. */
  override toText(): string {
    const handle = this.field("handle");
    return typeof handle === "string" ? handle : "";
  }

  /** Returns the object's data if the object has this type. */
  [getSubject]<Other>(type: ObjectType<Other>): Other | undefined {
    return (this.#objectType as unknown) === type ? (this.#subject as unknown as Other) : undefined;
  }

  get [jsonFieldNames](): readonly string[] {
    return this.#objectType.jsonFields;
  }

  override equals(other: unknown): boolean {
    if (other === this) return true;
    if (!(other instanceof TemplateObject)) return false;
    const { identity } = this.#objectType;
    return (
      identity !== undefined &&
      other.#objectType === this.#objectType &&
      identity(other.#subject) === identity(this.#subject)
    );
  }

  override isEmpty(): boolean | undefined {
    return this.field("empty?") === true;
  }
}

/** An object that prints and compares as a string, such as an option value or a color scheme. */
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

/** An object that does not exist. It equals `empty`, and is true in conditions, as Shopify's EmptyDrop. */
export class EmptyObject extends Drop {
  field(key: string | number): unknown {
    return key === "empty?" ? true : undefined;
  }

  override isEmpty(): boolean {
    return true;
  }
}

/** An object that contains other objects by name (`collections['tea']`). Loops can iterate over it. */
export class Lookup extends Drop {
  readonly #findValue: (name: string) => unknown;
  readonly #listing: Listing | undefined;
  readonly #emptyObject: EmptyObject | undefined;
  readonly #cachedValues = new Map<string, unknown>();

  /** @param emptyObject value of unknown names. Default: nil. */
  constructor(findField: (name: string) => unknown, listing?: Listing, emptyObject?: EmptyObject) {
    super();
    this.#findValue = findField;
    this.#listing = listing;
    this.#emptyObject = emptyObject;
  }

  field(key: string | number): unknown {
    if (this.#listing !== undefined && key === "size") return this.#listing.count();
    if (this.#listing !== undefined && key === "first") return this.#listing.getItems()[0];
    const name = String(key);
    let value = this.#cachedValues.get(name);
    if (value === undefined) {
      value = this.#findValue(name) ?? this.#emptyObject;
      this.#cachedValues.set(name, value);
    }
    return value;
  }

  override items(): readonly unknown[] {
    return this.#listing?.getItems() ?? [];
  }

  override isEmpty(): boolean | undefined {
    return this.#listing?.count() === 0;
  }

  get [listingSymbol](): Listing | undefined {
    return this.#listing;
  }
}

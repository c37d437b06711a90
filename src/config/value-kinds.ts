import { isIP } from "node:net";
import * as v from "valibot";
import { listCountryCodes } from "../pricing/countries.ts";
import { isCurrency } from "../pricing/money.ts";

export interface SettingDocumentation {
  /** Description of valid values. It completes the sentence "The setting must be …". */
  readonly description?: string;
  readonly documentation?: string;
}

export function getDocumentation(schema: v.GenericSchema): SettingDocumentation {
  return v.getMetadata(schema);
}

/** A schema type with only its input and output, because the full type of all settings would be very long. */
type InputOutputSchema<S extends v.GenericSchema> = v.GenericSchema<v.InferInput<S>, v.InferOutput<S>>;

/** Adds a description to a schema.  @param description valid values in words */
export function describeSchema<S extends v.GenericSchema>(schema: S, description: string): InputOutputSchema<S> {
  return v.message(v.pipe(schema, v.metadata({ description })), `must be ${description}`);
}

/** Creates a setting with a default.  @param defaultValue default value */
export function setting<S extends v.GenericSchema>(
  schema: S,
  defaultValue: v.InferInput<S>,
  documentation: string,
): v.OptionalSchema<InputOutputSchema<S>, () => v.InferInput<S>> {
  return v.optional(v.pipe(schema, v.metadata({ documentation })), () => defaultValue);
}

/** Creates a setting without a default. */
export function optionalSetting<S extends v.GenericSchema>(
  schema: S,
  documentation: string,
): v.OptionalSchema<InputOutputSchema<S>, undefined> {
  return v.optional(v.pipe(schema, v.metadata({ documentation })));
}

/** Creates an object of settings. Unknown keys are reported as errors. */
export function defineGroup<E extends v.ObjectEntries>(
  entries: E,
): InputOutputSchema<v.StrictObjectSchema<E, undefined>> {
  const knownKeys = Object.keys(entries);
  return createObjectSchema(
    v.strictObject(entries, ({ expected, path }) => {
      if (expected === "Object") return nonObjectMessage;
      const lastItem = path?.at(-1);
      const key = String(lastItem?.key);
      const missingSchema = Object.hasOwn(entries, key) ? entries[key] : undefined;
      if (missingSchema !== undefined)
        return `must be ${getDocumentation(missingSchema as v.GenericSchema).description}`;
      // Valibot reports only the first unknown key of an object, so the other unknown keys are added to the message.
      const unknownKeys = Object.keys(Object(lastItem?.input)).filter(
        (unknownKey) => unknownKey !== key && !knownKeys.includes(unknownKey),
      );
      const otherKeysText = unknownKeys.length === 0 ? "" : `, and neither is ${unknownKeys.join(", ")}`;
      return `is not a setting (known: ${knownKeys.join(", ")})${otherKeysText}`;
    }),
  );
}

/** Creates an object with arbitrary keys.  @param values schema of each value */
export function defineRecord<S extends v.GenericSchema>(
  values: S,
): InputOutputSchema<v.RecordSchema<v.StringSchema<undefined>, S, undefined>> {
  return createObjectSchema(v.record(v.string(), values, nonObjectMessage));
}

const nonObjectMessage = "must be an object";

/** Rejects arrays, which valibot accepts as objects. */
function createObjectSchema<S extends v.GenericSchema>(schema: S) {
  const nonArraySchema = v.custom<v.InferInput<S>>((input) => !Array.isArray(input), nonObjectMessage);
  return v.pipe(nonArraySchema, schema);
}

export const textSchema = describeSchema(v.pipe(v.string(), v.nonEmpty()), "a string");

/** Source of a pattern of an email address. */
export const emailPattern = String.raw`[^\s<>@,;]+@[^\s<>@,;]+`;

export const emailSchema = describeSchema(
  v.pipe(v.string(), v.regex(new RegExp(`^${emailPattern}$`))),
  'an address like "hello@shop.example"',
);

export const flagSchema = describeSchema(v.boolean(), "true or false");

export function createIntegerSchema(max: number, min = 1) {
  const schema = v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
  return describeSchema(schema, `an integer from ${min} to ${max}`);
}

/** A duration in milliseconds. */
export const timeSchema = createIntegerSchema(60_000);

/** An amount of money in minor units. */
export const amountSchema = describeSchema(
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  "an integer in the minor unit of the currency, like 500 for $5.00",
);

/** An ISO 3166-1 country code of two letters. */
export const countrySchema = describeSchema(
  v.pipe(
    v.string(),
    v.check((code) => listCountryCodes().includes(code)),
  ),
  'a country code (ISO 3166) like "DE"',
);

export const countriesSchema = describeSchema(v.array(countrySchema), 'a list of country codes like ["DE", "AT"]');

/** Tax rates in percent, by country. */
export const taxRatesSchema = describeSchema(
  v.pipe(
    defineRecord(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    v.check((rates) => Object.keys(rates).every((code) => listCountryCodes().includes(code))),
  ),
  "percentages (0 to 100) by country code, like { DE: 19 }",
);

/** An ISO 4217 currency code. */
export const currencySchema = describeSchema(
  v.pipe(v.string(), v.check(isCurrency)),
  'a currency code (ISO 4217) like "USD"',
);

export const localeSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z]{4})?(-[A-Z]{2})?$/)),
  'a language code like "en" or "pt-BR"',
);

/** The IANA name of a time zone. */
export const timezoneSchema = describeSchema(
  v.pipe(v.string(), v.check(isTimezone)),
  'a time zone like "Europe/Berlin"',
);

/** A URL with only scheme and host. A trailing slash is removed. */
export const originSchema = describeSchema(
  v.pipe(
    v.string(),
    v.check(isOrigin),
    v.transform((input) => new URL(input).origin),
  ),
  'a URL like "https://shop.example", without a path',
);

export const originsSchema = describeSchema(v.array(originSchema), 'a list of URLs like ["https://app.example"]');

const proxySchema = describeSchema(
  v.pipe(v.string(), v.check(isAddressOrNetwork)),
  'an IP address or a network like "10.0.0.0/8"',
);

export const proxiesSchema = describeSchema(
  v.union([v.boolean(), v.array(proxySchema)]),
  'true, false, or a list of IP addresses and networks like ["10.0.0.0/8"]',
);

const synonymGroupSchema = describeSchema(v.array(textSchema), 'a list of words like ["sofa", "couch"]');

export const synonymsSchema = describeSchema(
  v.array(synonymGroupSchema),
  'a list of lists of words like [["sofa", "couch"]]',
);

export const localesSchema = describeSchema(v.array(localeSchema), 'a list of language codes like ["fr", "ja"]');

const metafieldSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^[\w-]+\.[\w-]+$/)),
  'a metafield like "custom.material"',
);

export const metafieldsSchema = describeSchema(
  v.pipe(v.array(metafieldSchema), v.maxLength(20)),
  'a list of up to 20 metafields like ["custom.material"]',
);

export const handoffUrlSchema = describeSchema(
  v.pipe(
    v.string(),
    v.includes("{id}"),
    v.regex(/^https?:\/\//),
    v.check((input) => URL.canParse(input)),
  ),
  'an http(s) URL that contains "{id}"',
);

/** A relative path in the store folder. */
export const moduleFileSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^(?!.*(^|\/)\.)[\w./-]+\.[jt]s$/)),
  'a file in the store folder like "hooks.ts"',
);

export const classNameSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^[A-Za-z_][\w-]*( [A-Za-z_][\w-]*)*$/)),
  "a class name",
);

export const idPrefixSchema = describeSchema(v.pipe(v.string(), v.regex(/^[A-Za-z][\w-]*$/)), "the start of an id");

export const templateSuffixSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/)),
  'a template suffix, like "wide" for product.wide.json',
);

export const linkSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^(\/(?!\/)|https?:\/\/)/)),
  "a path or an http(s) URL",
);

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name !== "";
  } catch {
    return false;
  }
}

function isOrigin(input: string): boolean {
  const url = URL.parse(input);
  return url !== null && /^https?:$/.test(url.protocol) && (input === url.origin || input === `${url.origin}/`);
}

function isAddressOrNetwork(input: string): boolean {
  const [, address = "", bits = "0"] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(input) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

/** A folder, or a folder in a bucket of S3. */
export const storageSchema = describeSchema(
  v.pipe(
    v.string(),
    v.check((input) => /^s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/[\w./-]*)?$/.test(input) || !/^$|:\/\//.test(input)),
  ),
  'the path of a folder, or a URL like "s3://bucket/prefix"',
);

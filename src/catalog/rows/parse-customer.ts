import { findCountry } from "../../pricing/countries.ts";
import type { Customer, CustomerAddress } from "../customer.ts";
import * as read from "./fields.ts";
import { type ErrorReporter, type Fields, parseObject } from "./fields.ts";
import { readId } from "./identity.ts";

/** Parses a customer of a catalog file. @see parseProduct */
export function parseCustomer(value: unknown, addError: ErrorReporter): Customer | undefined {
  const fields = parseObject(value, "", customerFields, "a customer", addError);
  if (fields === undefined) return undefined;
  const email = read.parseName(fields, "email") ?? "";
  if (read.isMissing(fields, "id") && email === "") addError("id", "is required without an email");
  const tags = read.parseNames(fields, "tags");
  const addresses = parseAddresses(fields);
  return {
    kind: "customer",
    id: readId(fields, () => `customer\n${email.toLowerCase()}`),
    email,
    storeCredit: read.parseMoney(fields, "store_credit") ?? 0,
    ...parsePresentFields(fields, { firstName: "first_name", lastName: "last_name", phone: "phone" }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(read.parseFlag(fields, "accepts_marketing", false) ? { acceptsMarketing: true } : {}),
    ...(addresses.length === 0 ? {} : { addresses }),
  };
}

const customerFields: ReadonlySet<string> = new Set(
  "kind id email store_credit first_name last_name phone tags accepts_marketing addresses".split(" "),
);
const addressFields: ReadonlySet<string> = new Set(
  "id first_name last_name company address1 address2 city province province_code zip country phone".split(" "),
);

function parseAddresses(fields: Fields): readonly CustomerAddress[] {
  return read.parseList(fields, "addresses").flatMap((value, index) => {
    const address = parseObject(
      value,
      `${fields.path}addresses[${index}].`,
      addressFields,
      "an address",
      fields.addError,
    );
    if (address === undefined) return [];
    const country = read.parseName(address, "country");
    const code = country === undefined ? undefined : findCountry(country, "en");
    if (country !== undefined && code === undefined)
      read.report(address, "country", 'must be a country, by its code like "DE" or its English name');
    const textFields = parsePresentFields(address, {
      firstName: "first_name",
      lastName: "last_name",
      company: "company",
      address1: "address1",
      address2: "address2",
      city: "city",
      province: "province",
      provinceCode: "province_code",
      zip: "zip",
      phone: "phone",
    });
    const id = readId(address, () => `address\n${index}`);
    return [{ id, ...textFields, ...(code === undefined ? {} : { country: code }) }];
  });
}

/** Returns the text fields that are present.  @param names maps each property to the name of its field in the row */
function parsePresentFields<Name extends string>(
  fields: Fields,
  names: Readonly<Record<Name, string>>,
): { readonly [N in Name]?: string } {
  const givenTexts: { [N in Name]?: string } = {};
  for (const [name, field] of Object.entries(names) as [Name, string][]) {
    const text = read.parseName(fields, field);
    if (text !== undefined) givenTexts[name] = text;
  }
  return givenTexts;
}

import type { CustomerAddress } from "../../../catalog/customer.ts";
import { getCountryName } from "../../../pricing/countries.ts";
import { addPathPrefix, type View } from "../../view.ts";
import { createCountryObject } from "../shop/country.ts";
import { createObjectType } from "../template-object.ts";

interface AddressData {
  readonly view: View;
  /** Fields of the address. Empty for a new address. */
  readonly address: Partial<CustomerAddress>;
}

export const addressType = createObjectType<AddressData>(
  "address",
  {
    id: ({ address }) => address.id,
    first_name: ({ address }) => address.firstName,
    last_name: ({ address }) => address.lastName,
    name: ({ address }) => joinParts(" ", address.firstName, address.lastName),
    company: ({ address }) => address.company,
    address1: ({ address }) => address.address1,
    address2: ({ address }) => address.address2,
    street: ({ address }) => joinParts(", ", address.address1, address.address2),
    city: ({ address }) => address.city,
    province: ({ address }) => address.province,
    province_code: ({ address }) => address.provinceCode,
    zip: ({ address }) => address.zip,
    country_code: ({ address }) => address.country,
    phone: ({ address }) => address.phone,
    summary: ({ view, address }) =>
      joinParts(
        ", ",
        joinParts(" ", address.firstName, address.lastName),
        address.address1,
        address.address2,
        address.city,
        address.province,
        address.country === undefined ? undefined : getCountryName(address.country, view.request.locale),
      ),
    url: ({ view, address }) =>
      addPathPrefix(view, `/account/addresses${address.id === undefined ? "" : `/${encodeURIComponent(address.id)}`}`),
  },
  {
    country: ({ view, address }) =>
      address.country === undefined ? undefined : createCountryObject(view, address.country),
  },
  { fieldTypes: { country: "country" }, identity: ({ address }) => address.id },
);

function joinParts(separator: string, ...parts: readonly (string | undefined)[]): string | undefined {
  const text = parts.filter((part) => part !== undefined && part !== "").join(separator);
  return text === "" ? undefined : text;
}

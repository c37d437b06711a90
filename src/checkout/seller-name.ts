/** The settings that name the seller. */
interface SellerSettings {
  /** Name of the shop. */
  readonly name: string;
  readonly invoices: { readonly name?: string | undefined };
  readonly contact: { readonly address?: { readonly company?: string | undefined } | undefined };
}

/** Returns the name of the seller on invoices, which is also the default holder of the bank account. */
export function getSellerName({ name, invoices, contact }: SellerSettings): string {
  return invoices.name ?? contact.address?.company ?? name;
}

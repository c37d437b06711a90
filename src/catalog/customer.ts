export interface Customer {
  readonly kind: "customer";
  readonly id: string;
  readonly email: string;
  /** Store credit in minor units. */
  readonly storeCredit: number;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly tags?: readonly string[];
  readonly acceptsMarketing?: boolean;
  /** Addresses of the customer; the first is the default address. */
  readonly addresses?: readonly CustomerAddress[];
}

export interface CustomerAddress {
  readonly id: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
  readonly address1?: string;
  readonly address2?: string;
  readonly city?: string;
  readonly province?: string;
  /** Second part of the ISO 3166-2 code, such as "ON". */
  readonly provinceCode?: string;
  readonly zip?: string;
  /** Country code (ISO 3166-1 alpha-2). */
  readonly country?: string;
  readonly phone?: string;
}

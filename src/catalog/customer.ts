export interface Customer {
  readonly kind: "customer";
  readonly id: string;
  readonly email: string;
  /** Minor units. */
  readonly storeCredit: number;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly tags?: readonly string[];
  readonly acceptsMarketing?: boolean;
  /** The first is the default one. */
  readonly addresses?: readonly Address[];
}

export interface Address {
  readonly id: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
  readonly address1?: string;
  readonly address2?: string;
  readonly city?: string;
  readonly province?: string;
  /** The second part of the ISO 3166-2 code: "ON". */
  readonly provinceCode?: string;
  readonly zip?: string;
  /** ISO 3166-1. */
  readonly country?: string;
  readonly phone?: string;
}

export interface Customer {
  readonly kind: "customer";
  readonly id: string;
  readonly email: string;
  /** Minor units. */
  readonly storeCredit: number;
}

/** A way into an account that only one person has, such as an address. */
export interface GiftedWay {
  /** `email`, `phone` or the provider of an identity. */
  readonly kind: string;
  readonly value: string;
}

/** Table `gifted_ways`, which keeps hashes (docs/rules/accounts.md#new-accounts). */
export interface GiftedWayRepository {
  /**
   * Notes different ways into an account that is registered with them. False: another account was
   * registered with one of them before.
   */
  note(ways: readonly GiftedWay[], at: number): Promise<boolean>;
}

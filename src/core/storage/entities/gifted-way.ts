/** Table `gifted_ways` (docs/rules/accounts.md#new-accounts). */
export interface GiftedWayRepository {
  /**
   * Notes ways into an account that is registered with them, as hashes. False: another account was
   * registered with one of them before.
   */
  note(ways: readonly string[], at: number): Promise<boolean>;
}

/** An open WebSocket of a client, as the gateway needs it when it stops. */
export interface LiveSocket {
  /** Lets answers under way finish, then closes. */
  drain(): void;
  /** Closes at once; what was delivered is settled. */
  terminate(): void;
}

/** An open WebSocket of a client, as the gateway needs it when it stops. */
export interface LiveSocket {
  /** Lets answers under way finish, then closes. */
  drain(): void;
  /** Ends answers under way with an error, then closes; what was delivered is settled. */
  stop(): void;
  /** Closes at once. */
  terminate(): void;
}

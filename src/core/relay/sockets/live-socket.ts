/** A WebSocket of a client, for the time it is open: what a gateway that stops does with it. */
export interface LiveSocket {
  /** Lets what is under way finish, then closes. */
  drain(): void;
  /** Closes at once; what came so far is settled. */
  terminate(): void;
}

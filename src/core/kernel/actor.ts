/** Who acts: what the rules and the audit log need to know about a caller. */
export interface Actor {
  /** 0: the operator at the machine before anybody was set up, or the program itself. */
  readonly id: number;
  readonly username: string;
  readonly role: number;
  readonly group: string;
  /** Where the call came from; empty for calls inside the process. */
  readonly ip: string;
}

/** What a caller may ask for, within what the model gives: agents ask for up to 128,000 tokens of any model (agent-clients 4). */
export function capOutput(wanted: number | undefined, limit: number | undefined): number | undefined {
  return wanted === undefined || limit === undefined ? wanted : Math.min(wanted, limit);
}

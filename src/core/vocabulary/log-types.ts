/** Seed, end user 3; 5 and 6 come with imported rows only (spec, billing 8). */
export const logTypes = { unknown: 0, topUp: 1, consume: 2, manage: 3, system: 4, error: 5, refund: 6 } as const;
export type LogType = (typeof logTypes)[keyof typeof logTypes];

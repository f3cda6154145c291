/** Below this the screens say so (design, console 7). */
export const smallest = { columns: 80, rows: 24 } as const;
/** From here on the detail stands beside its list. */
export const wideFrom = 120;

import type { Leases } from './cluster.ts';

export interface OnceIn {
  readonly leases: Leases;
  readonly name: string;
  /** Of this call alone. */
  readonly owner: string;
  /** Milliseconds in which it is done once, over all processes and restarts. */
  readonly period: number;
  /** Milliseconds that it may take; one whose process dies is done again after that. */
  readonly longest: number;
}

/**
 * Does something once in a period. What fails or breaks off counts as not done: the next call does
 * it again. Rejects with what `work` rejects with.
 */
export async function onceIn(
  { leases, name, owner, period, longest }: OnceIn,
  work: () => Promise<void>,
): Promise<void> {
  if (!(await leases.acquire(name, owner, longest, Math.max(longest, period)))) return;
  try {
    await work();
  } catch (error) {
    await leases.release(name, owner);
    throw error;
  }
  await leases.acquire(name, owner, period, Math.max(longest, period));
}

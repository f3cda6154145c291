/** Whether a gateway is as it was before: memory, timers, files, handles. */
import type { GatewayProcess } from './gateway.ts';
import type { Look } from './inside.ts';

export interface Condition extends Look {
  /** Open files by what they are. */
  readonly files: Readonly<Record<string, number>>;
}

const megabyte = 1024 * 1024;

export async function conditionOf(gateway: GatewayProcess): Promise<Condition> {
  const look = await gateway.look();
  return { ...look, files: gateway.openFiles() };
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** What there is more of than before. Pools and caches may have grown a little. */
function grown(
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
  slack: number,
): string {
  return Object.entries(now)
    .filter(([name, count]) => count > (before[name] ?? 0) + slack)
    .map(([name, count]) => `${name} ${before[name] ?? 0} → ${count}`)
    .join(', ');
}

/** What a gateway keeps that it did not have after the warm-up. */
export function leaksOf(before: Condition, now: Condition): readonly string[] {
  const found: string[] = [];
  const timers = grown(before.timers, now.timers, 12);
  if (timers !== '') found.push(`timers: ${timers}`);
  const resources = grown(before.resources, now.resources, 24);
  if (resources !== '') found.push(`handles: ${resources}`);
  if (total(now.files) > total(before.files) + 24)
    found.push(`open files: ${grown(before.files, now.files, 0)}`);
  const deleted = Object.keys(now.files).filter(
    (name) => name.endsWith('(deleted)') && before.files[name] === undefined,
  );
  if (deleted.length > 0) found.push(`deleted files that are still open: ${deleted.join(', ')}`);
  if (now.heapUsed > before.heapUsed * 1.5 + 40 * megabyte)
    found.push(`heap ${inMb(before.heapUsed)} → ${inMb(now.heapUsed)}`);
  if (now.external > before.external + 96 * megabyte)
    found.push(`buffers ${inMb(before.external)} → ${inMb(now.external)}`);
  if (now.rss > before.rss + 350 * megabyte)
    found.push(`memory ${inMb(before.rss)} → ${inMb(now.rss)}`);
  return found;
}

export function inMb(bytes: number): string {
  return `${Math.round(bytes / megabyte)} MB`;
}

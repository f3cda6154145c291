import { readFileSync } from 'node:fs';
import { nowSeconds } from '../kernel/clock.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { DoctorDeps } from './check.ts';
import { noteDiskSpace } from './disk-notes.ts';
import { createDoctor, type Doctor } from './doctor.ts';

/** Milliseconds until an address counts as unreachable. */
const fetchLimit = 5000;

/** Seconds between two looks whether a day is over, and that one may take. */
const noteInterval = 3600;
const noteTimeout = 60;

export function createDoctorModule(
  deps: Omit<DoctorDeps, 'fetch' | 'openFileLimit' | 'redisVersion'>,
): ServiceModule<Doctor> {
  return {
    services: createDoctor({ ...deps, fetch: fetchText, openFileLimit, redisVersion }),
    jobs: [
      {
        name: 'disk-space',
        interval: () => noteInterval,
        // Each process has a data folder of its own; workers share one, and more notes do no harm.
        scope: 'process',
        timeout: noteTimeout,
        run: () => noteDiskSpace(deps.config.dataDir, nowSeconds(deps.clock)),
      },
    ],
  };
}

export async function redisVersion(url: string): Promise<string> {
  // most sites have no Redis
  const { readRedisVersion } = await import('../cluster/redis/redis-version.ts');
  return readRedisVersion(url);
}

/** Linux only. */
function openFileLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

async function fetchText(url: string) {
  const reply = await fetch(url, { signal: AbortSignal.timeout(fetchLimit) });
  return {
    ok: reply.ok,
    status: reply.status,
    date: reply.headers.get('date'),
    text: await reply.text(),
  };
}

/** How much memory V8 and the allocator may take before they clean up. */
import { setFlagsFromString } from 'node:v8';

/**
 * Megabytes of one half of the young generation; V8 would let it grow to 64 and keep both halves.
 * With 16 a small request costs more CPU (docs/performance.md#memory-with-many-streams).
 */
const semiSpaceMb = 32;
/**
 * Megabytes of the old generation before its first full collection: the program itself fills 24, so
 * that V8 would collect what it is just loading.
 */
const initialOldSpaceMb = 32;
/**
 * Read by glibc when a process starts: otherwise each thread has memory of its own that is hardly
 * ever given back.
 */
const allocator = { MALLOC_ARENA_MAX: '2' };
/**
 * Percent by which the old generation may grow after a full collection until the next one; V8 would
 * let it double and more.
 */
const growthPercent = 30;

/**
 * Sets what V8 reads at run time; to be called before anything else is loaded.
 *
 * - Objects are not allocated in old space because V8 expects them to live long. After a full
 *   collection in the middle of traffic it expects that of objects of each request, and such a dead
 *   object in old space keeps the whole request alive until the next full collection: every request
 *   was copied twice (docs/performance.md#request-memory).
 * - Full collections come sooner: what a thousand streams leave behind is larger than everything
 *   that lives.
 */
export function tuneHeap(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}

/**
 * Replaces this process, unless it has that limit already, by the same one with the limits that can
 * only be given at its start (docs/rules/process.md#memory). Returns where that is not possible: on
 * Windows, and where a parent process speaks to this one.
 */
export function restartWithLimits(): void {
  const { execve, execPath, execArgv, argv, env } = process;
  const isLimited = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((flag) =>
    /max.semi.space.size/.test(flag),
  );
  if (
    isLimited ||
    execve === undefined ||
    process.platform === 'win32' ||
    process.send !== undefined
  )
    return;
  const flags = [
    `--max-semi-space-size=${semiSpaceMb}`,
    `--initial-old-space-size=${initialOldSpaceMb}`,
    ...execArgv,
  ];
  execve.call(process, execPath, [execPath, ...flags, ...argv.slice(1)], { ...allocator, ...env });
}

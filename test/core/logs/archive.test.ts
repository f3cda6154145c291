import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { archiveRows } from '../../../src/core/logs/archive.ts';

const time = Date.UTC(2026, 2, 5) / 1000;
/** Some 4 KB that hardly get smaller. */
const row = (id: number) => ({ id, content: randomBytes(2048).toString('hex') });

// Windows has no limit of a file's size for a process.
it.skipIf(process.platform === 'win32')(
  'leaves a readable archive where a write ends in the middle',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-archive-'));
    const file = join(folder, 'usage-2026-03.jsonl.gz');
    await archiveRows(folder, 'usage', time, [row(1)]);
    const whole = readFileSync(file);

    const module = new URL('../../../src/core/logs/archive.ts', import.meta.url).href;
    const script = `
    import { archiveRows } from ${JSON.stringify(module)};
    const rows = JSON.parse(process.env.ROWS);
    await archiveRows(${JSON.stringify(folder)}, 'usage', ${String(time)}, rows).then(
      () => process.exit(0),
      (error) => { console.log(error.code); process.exit(3); },
    );`;
    // No file of this process gets larger than 6 KB: the second write ends in its middle.
    const limited = spawnSync(
      'bash',
      ['-c', 'ulimit -f 6; exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { env: { ...process.env, ROWS: JSON.stringify([row(2), row(3)]), NODE_COMPILE_CACHE: '' } },
    );
    expect([limited.status, limited.stdout.toString().trim()]).toEqual([3, 'EFBIG']);
    expect(readFileSync(file).equals(whole)).toBe(true);

    await archiveRows(folder, 'usage', time, [row(4)]);
    const ids = gunzipSync(readFileSync(file))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual([1, 4]);
  },
);

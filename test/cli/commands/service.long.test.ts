/** What `turnpike serve` tells systemd, with a `systemd-notify` that notes it. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnGateway } from '../../support/spawned-gateway.ts';

test('a gateway that can serve says so, and says that it stops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-notify-'));
  const notes = join(folder, 'notes');
  writeFileSync(notes, '');
  const notify = join(folder, 'systemd-notify');
  writeFileSync(notify, `#!/bin/sh\necho "$* $NOTIFY_SOCKET" >> "${notes}"\n`);
  chmodSync(notify, 0o755);
  const PATH = `${folder}:${process.env['PATH']}`;
  const gateway = await spawnGateway({ PATH, NOTIFY_SOCKET: '/run/notify' });
  const noted = () => readFileSync(notes, 'utf8');
  try {
    await expect.poll(noted).toBe('--ready /run/notify\n');
  } finally {
    await gateway.close();
  }
  await expect.poll(noted).toBe('--ready /run/notify\n--stopping /run/notify\n');
  rmSync(folder, { recursive: true });
});

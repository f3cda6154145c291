// Covers src/cli/commands/maintenance.
/** `turnpike files …` with the real core (docs/rules/files.md). */
import { expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createFilesApp, fileOf } from '../../core/files/files-app.ts';
import { makePng } from '../../support/images.ts';
import { runCli } from '../run-cli.ts';

test('lists images, shows how much is stored and deletes what has expired', async () => {
  const { app, addUser, clock, operator, stored } = await createFilesApp();
  const [ann, ben] = [await addUser('ann'), await addUser('ben')];
  const [image] = await app.files.saveImages(ann, [fileOf(makePng({ width: 30, height: 20 }))]);
  await app.files.saveImages(ben, [fileOf(makePng({ width: 40, height: 20 }))]);
  const turnpike = (line: string) =>
    runCli(line.split(' '), { transport: createLocalTransport(app, undefined, 'en') });
  const list = await turnpike(`files list --user ${ann} --lang en`);
  expect(list.stdout).toContain(image?.url);
  expect(list.stdout).toContain('30 × 20');
  expect(list.stdout).not.toContain('40 × 20');
  const usage = (await turnpike('files usage --json')).json<{ uploads: { files: number } }>();
  expect(usage).toMatchObject({ uploads: { files: 2 }, results: { files: 0, bytes: 0 } });
  expect((await turnpike('files usage --lang en')).stdout).toMatch(
    /uploaded images\s+2\s+0\.00 MB/,
  );
  clock.move(8 * 86_400_000);
  expect((await turnpike('files clean --json')).json()).toEqual({ deleted: 2 });
  expect(stored()).toEqual([]);
  expect((await operator.audit.list({ action: 'files.clean' })).items[0]).toMatchObject({
    detail: '{"deleted":2}',
  });
});

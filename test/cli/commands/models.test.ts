/** `turnpike models …` with the real core: what an operator scripts the model square with. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-models-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openSite() {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: readonly string[], options: RunOptions = {}) =>
    runCli(['models', ...line], { transport, ...options });
  return { operator, turnpike };
}

const given = [
  '--icon',
  '/a.png',
  '--description',
  'd',
  '--type',
  '对话',
  '--tags',
  'a, b',
  '--vendor',
  'OpenAI',
  '--price-type',
  'billed',
  '--context',
  '128K',
  '--size',
  'MoE,>100B',
  '--published',
  '2026-11-01',
];

test('entries are added, listed, shown, edited, switched and deleted', async () => {
  const { operator, turnpike } = await openSite();
  const added = await turnpike(['add', 'org/m', ...given]);
  expect([added.exitCode, added.stderr.trim()]).toEqual([0, 'Added org/m']);
  expect((await turnpike(['show', 'org/m', '--json'])).json()).toMatchObject({
    model: 'org/m',
    tags: ['a', 'b'],
    specification: ['MoE', '>100B'],
    status: 1,
    type_en: 'chat',
    price_type: 2,
  });
  expect((await turnpike(['show', 'org/m'])).stdout).toContain('OpenAI');
  expect((await turnpike(['list', '--type', 'chat', '--days', '30'])).stdout).toMatch(
    /org\/m +enabled +chat +OpenAI/,
  );
  expect((await turnpike(['list', '--type', 'video', '--json'])).json()).toEqual({
    items: [],
    total: 0,
  });
  expect(
    (await turnpike(['edit', 'org/m', '--price-type', 'free', '--json'])).json(),
  ).toMatchObject({ price_type: 1 });
  expect((await turnpike(['disable', 'org/m'])).stderr.trim()).toBe('Disabled org/m');
  expect((await turnpike(['list', '--status', 'disabled', '--json'])).json()).toMatchObject({
    total: 1,
  });
  expect((await turnpike(['enable', 'org/m'])).exitCode).toBe(0);
  expect((await turnpike(['delete', 'org/m'])).exitCode).not.toBe(0);
  expect((await turnpike(['delete', 'org/m', '--yes'])).stderr.trim()).toBe('Deleted org/m');
  expect((await operator.modelSquare.manage({})).items).toEqual([]);
});

test('failures have their codes', async () => {
  const { turnpike } = await openSite();
  expect((await turnpike(['show', 'nobody', '--json'])).failure().code).toBe(
    'catalog_model_unknown',
  );
  const wrong = await turnpike(['add', 'm', ...given.slice(2), '--icon', 'javascript:1', '--json']);
  expect([wrong.exitCode, wrong.failure().code]).toEqual([2, 'catalog_icon_invalid']);
  expect((await turnpike(['edit', 'm'])).exitCode).toBe(2);
  expect((await turnpike(['list', '--status', 'maybe'])).exitCode).toBe(2);
});

test('an export is imported again, on this site and on another', async () => {
  const { turnpike } = await openSite();
  await turnpike(['add', 'a', ...given, '--model-price', '0.5']);
  await turnpike(['add', 'b', ...given]);
  const { stdout } = await turnpike(['export']);
  const file = join(folder, 'models.json');
  writeFileSync(file, stdout);

  const other = await openSite();
  const first = await other.turnpike(['import', file]);
  expect([first.exitCode, first.stderr.trim()]).toEqual([0, 'Added 2, updated 0']);
  expect((await other.turnpike(['import', '-', '--json'], { input: stdout })).json()).toEqual({
    added: [],
    refused: [],
    updated: ['a', 'b'],
  });
  expect((await other.turnpike(['export'])).stdout).toBe(stdout);

  writeFileSync(
    file,
    JSON.stringify([{ model: 'a', status: 2 }, { model: 'c' }, { model: 'b', tags: 7 }]),
  );
  const partly = await other.turnpike(['import', file, '--json']);
  expect(partly.exitCode).toBe(1);
  expect(partly.json()).toMatchObject({
    added: [],
    updated: ['a'],
    refused: [{ model: 'c' }, { model: 'b' }],
  });
  writeFileSync(file, '{"items":"none"}');
  expect((await other.turnpike(['import', file])).exitCode).toBe(2);
  expect(
    (await other.turnpike(['import', join(folder, 'missing.json'), '--json'])).failure().code,
  ).toBe('file_unusable');
});

/**
 * Every command says what it prints with `--json`; that it prints so is compared wherever a test
 * runs one.
 */
import { expect, test } from 'vitest';
import { jsonShapeOf } from '../../src/cli/json-shapes.ts';
import { loadAllCommands } from '../../src/cli/topics.ts';
import { expectDeclaredJson } from './declared-json.ts';

test('every command declares its JSON', async () => {
  const all = (await loadAllCommands()).flatMap(({ commands }) => commands);
  expect(
    all.filter((command) => jsonShapeOf(command) === undefined).map(({ name }) => name),
  ).toEqual([]);
});

test.each([
  ['{"items":[],"total":0}', true],
  ['[]', false],
  ['{"items":[{"name":"a","server":"b"}],"total":1}', true],
  ['{"items":[{"name":"a","server":"b","access_token":"secret"}],"total":1}', false],
  ['{"items":[{"name":"a"}],"total":1}', false],
])('profiles list that prints %s is as declared: %s', async (printed, expected) => {
  const isAsDeclared = expectDeclaredJson(['profiles', 'list', '--json'], printed).then(
    () => true,
    () => false,
  );
  expect(await isAsDeclared).toBe(expected);
});

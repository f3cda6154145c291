/**
 * Generated from the declarations: each option on the command line
 * (docs/rules/options.md#one-declaration).
 */
import { expect, test } from 'vitest';
import {
  isBuiltOption,
  isSecretOption,
  type OptionKey,
  optionDefinition,
  optionKeys,
} from '../../../src/core/options/index.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { defaultTextOf, refusedBy, sampleOf } from '../../support/option-samples.ts';
import { runCli } from '../run-cli.ts';

const longest = 100_000;

test('each option is set, read, refused and reset by its key', async () => {
  const { app } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (...argv: string[]) =>
    runCli(['options', ...argv, '--lang', 'en'], { transport });
  // Secrets are read from standard input, and what begins with a dash would be a flag.
  const set = (key: OptionKey, value: string) =>
    isSecretOption(key) || value.startsWith('-')
      ? runCli(['options', 'set', key, '-', '--lang', 'en'], { transport, input: value })
      : turnpike('set', key, value);
  // Those that need others come last, so that what they need is there; nothing is cleared while it
  // is needed.
  const ordered = optionKeys.toSorted((a, b) => Number(hasNeeds(a)) - Number(hasNeeds(b)));
  for (const key of ordered) {
    const done = await set(key, sampleOf(key));
    expect([key, done.exitCode, done.stderr.includes('no effect')]).toEqual([
      key,
      0,
      !isBuiltOption(key),
    ]);
    const shown = await turnpike('get', key, '--json');
    expect(shown.json()).toEqual(
      isSecretOption(key) ? { key, configured: true } : { key, value: sampleOf(key) },
    );
    for (const value of refusedBy(key).filter((text) => text !== '' && text.length < longest)) {
      const refusal = await set(key, value);
      expect([key, value, refusal.exitCode]).toEqual([key, value, 2]);
      expect(refusal.stderr).toContain(key);
    }
  }
  const listed = await turnpike('list', '--all', '--json');
  for (const key of optionKeys.filter(isSecretOption)) {
    if (optionDefinition(key).kind === 'text')
      expect(listed.stdout).not.toContain(JSON.stringify(sampleOf(key)).slice(1, -1));
  }
  for (const key of ordered.toReversed()) {
    expect([key, (await turnpike('reset', key, '--yes')).exitCode]).toEqual([key, 0]);
    const { stdout } = await turnpike('get', key);
    expect([key, stdout]).toEqual([
      key,
      isSecretOption(key) ? 'not set\n' : `${defaultTextOf(key)}\n`,
    ]);
  }
});

function hasNeeds(key: OptionKey): boolean {
  const { needs, needsFor } = optionDefinition(key);
  return (needs ?? needsFor) !== undefined;
}

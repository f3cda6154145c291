// Covers src/core/site-config.
/** A site's configuration, exported, applied to an empty site and exported again: the same file. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isOptionKey, type OptionKey, optionKeys } from '../../../src/core/options/index.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { sampleOf } from '../../support/option-samples.ts';
import { fc, runs } from '../../support/property.ts';
import { runCli } from '../run-cli.ts';

async function openSite() {
  const { app, operator } = await createTestApp();
  return { operator, transport: createLocalTransport(app, undefined, 'en') };
}

/** Values for the variables of a file: what each secret stands for at its place. */
function variablesOf(value: unknown, path: readonly string[] = []): Record<string, string> {
  if (typeof value === 'string' && value.startsWith('env:')) {
    const [section, name = ''] = path;
    const isOption = section === 'options' && isOptionKey(name);
    const secret = isOption
      ? sampleOf(name)
      : path.at(-1) === 'key'
        ? 'sk-key'
        : 'http://user:pass@proxy.example:8080';
    return { [value.slice(4)]: secret };
  }
  if (typeof value !== 'object' || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, part]) => variablesOf(part, [...path, name])),
  );
}

const names = fc.constantFrom(
  ...[
    'Main',
    '主渠道',
    'a: b',
    '# no comment',
    '- item',
    'yes',
    '12',
    'env:HOME',
    'literal:x',
    "it's",
    'tab\there',
    'Twin',
  ],
  ...['~', 'null', '{x}', '@at', '1.0', 'name#7'],
);
const model = fc.constantFrom(
  'gpt-4o',
  'org/model',
  '4.10',
  'yes',
  'claude-sonnet-4-5',
  '模型',
  'm:free',
);
const models = fc.uniqueArray(model, { minLength: 1, maxLength: 4 });
/** Types of different wires, with what each needs. */
const kinds = [
  { type: 1, key: 'sk-key' },
  { type: 3, key: 'azure', base_url: 'https://x.openai.azure.com', other: '2025-04-01-preview' },
  { type: 4, key: '' },
  {
    type: 14,
    key: 'sk-ant',
    setting: '{"proxy":"http://user:pass@proxy.example:8080","header_override":{"X-Title":"a"}}',
  },
  { type: 24, key: 'one\ntwo', setting: '{"multi_key_mode":"random"}' },
  { type: 8, key: 'k', base_url: 'https://host.example/v1/{model}' },
] as const;
const channel = fc.record({
  name: names,
  kind: fc.constantFrom(...kinds),
  models,
  group: fc.constantFrom('default', 'vip,default'),
  priority: fc.integer({ min: -5, max: 5 }),
  weight: fc.nat(9),
  tag: fc.constantFrom('', 'tag', 'file:tag', '1.0'),
  mapping: fc.constantFrom('', '{"gpt-4o":"gpt-4o-mini"}'),
  disabled: fc.boolean(),
});
/** Everything but switches, so that whatever a switch needs is there; and some switches. */
const isSwitch = (key: OptionKey) => /^(true|false)$/.test(sampleOf(key));
const options = fc
  .subarray(optionKeys.filter(isSwitch))
  .map((switches) => [...optionKeys.filter((key) => !isSwitch(key)), ...switches]);

test('export, apply to an empty site, export: the same file; applied again nothing changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      options,
      fc.uniqueArray(channel, { maxLength: 6, selector: ({ name }) => name }),
      models,
      async (keys, channels, square) => {
        const [from, to] = [await openSite(), await openSite()];
        const values = keys.map((key) => ({ key, value: sampleOf(key) }));
        expect((await from.operator.siteConfig.apply({ options: values })).problems).toEqual([]);
        for (const { kind, models: own, mapping, disabled, ...rest } of channels) {
          const created = await from.operator.channel.create({
            ...rest,
            ...kind,
            models: own.join(','),
            model_mapping: mapping,
          });
          for (const id of disabled ? created.ids : [])
            await from.operator.channel.update({ id, status: 2 });
        }
        for (const [index, name] of square.entries())
          await from.operator.modelSquare.add(squareEntry(name, index));
        const exported = await runCli(['config', 'export', '--references'], from);
        expect([exported.exitCode, exported.stderr.includes('SMTP_TOKEN')]).toEqual([0, true]);
        const environment = variablesOf(parse(exported.stdout));
        const applied = await runCli(['config', 'apply', '-', '--prune', '--yes'], {
          ...to,
          environment,
          input: exported.stdout,
        });
        expect([applied.stderr.split('\n').slice(0, -2), applied.exitCode]).toEqual([[], 0]);
        expect((await runCli(['config', 'export', '--references'], to)).stdout).toBe(
          exported.stdout,
        );
        expect((await runCli(['config', 'export'], to)).stdout).toBe(
          (await runCli(['config', 'export'], from)).stdout,
        );
        const again = await runCli(['config', 'apply', '-', '--exit-code', '--prune'], {
          ...to,
          environment,
          input: exported.stdout,
        });
        expect([again.stderr.trim(), again.exitCode]).toEqual(['Nothing to change', 0]);
      },
    ),
    runs(6),
  );
});

function squareEntry(model: string, index: number) {
  return {
    model,
    icon: '/x.png',
    description: `${index}: "quoted", #x`,
    type: 'chat',
    tags: ['fast', '1.0'],
    manufacturer: 'yes',
    price_type: 2,
    context: '128K',
    specification: ['MoE'],
    publish_time: '2026-11-01',
    status: 1,
    model_price: index / 8,
  };
}

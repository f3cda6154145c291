// Covers src/cli/commands/pricing
import { expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

test('pricing list has the steps of long prompts as prices, and all other prices with --json', async () => {
  const { app } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const one = ['pricing', 'list', '--search', 'doubao-seed-2-0-pro-260215'];
  const found = (await runCli([...one, '--json'], { transport })).json<{ items: object[] }>();
  expect(found.items).toEqual([
    {
      model: 'doubao-seed-2-0-pro-260215',
      prompt: 0.46,
      completion: 2.3,
      cached: 0.46,
      others: {
        cache_write: 0.46,
        input_above_32000: 0.7,
        output_above_32000: 3.5,
        input_above_128000: 1.4,
        output_above_128000: 7,
      },
    },
  ]);
  const { stdout } = await runCli(one, { transport });
  expect(stdout).toContain('>32k $0.70 / $3.50, >128k $1.40 / $7.00');
});

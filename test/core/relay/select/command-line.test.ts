/**
 * `route explain`, `channels list` and `channels show` over a site with circuits, cool-downs and
 * keys.
 */
import { expect, test } from 'vitest';
import { createLocalTransport } from '../../../../src/server/local-client.ts';
import { runCli } from '../../../cli/run-cli.ts';
import { errorReply } from '../../../support/upstream.ts';
import { startRelay, upstream } from './relay-support.ts';

test('print the state of every channel', async () => {
  const [dead, busy, keyed] = [await upstream(), await upstream(), await upstream()];
  dead.answer(errorReply(500, { message: 'boom' }));
  busy.answer(errorReply(429, { message: 'slow down' }, { 'retry-after': '40' }));
  keyed.answer((response, request) =>
    errorReply(request.headers.authorization === 'Bearer key-1' ? 401 : 400, {
      message: 'refused',
    })(response, request),
  );
  const relay = await startRelay({ RetryTimes: 2, AutomaticDisableChannelEnabled: true });
  await relay.addChannel(dead, { name: 'dead', priority: 20 });
  await relay.addChannel(busy, { name: 'busy', priority: 10, weight: 30 });
  await relay.addChannel(keyed, {
    name: 'keyed',
    key: 'key-1\nkey-2',
    setting: '{"multi_key_mode":"polling"}',
  });
  for (let index = 0; index < 5; index++) await relay.chat();
  const keysOff = async () =>
    (await relay.operator.channel.get({ id: 3 })).multi_key?.disabled.length;
  await expect.poll(keysOff).toBe(1);

  const transport = createLocalTransport(relay.app, undefined, 'en');
  const runLine = (line: string, lang = 'en') =>
    runCli([...line.split(' '), '--lang', lang], { transport });
  const explained = await runLine('route explain --model gpt-4o');
  expect(explained.stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
    'priority | id | channel | weight | first choice | upstream model | keys | state | skipped',
    expect.stringMatching(/20 \| +1 \| dead \| 0 \| 0\.0 % \| circuit open, 10 s \| circuit open$/),
    expect.stringMatching(
      /10 \| +2 \| busy \| 30 \| 0\.0 % \| cooling down, 40 s \| cooling down$/,
    ),
    expect.stringMatching(/0 \| +3 \| keyed \| 0 \| 100\.0 % \| 1\/2 \| healthy$/),
    '',
  ]);
  expect((await runLine('route explain --model gpt-4o', 'zh')).stdout).toContain('已熔断，10 秒');
  const list = (await runLine('channels list')).stdout;
  expect(list).toMatch(/dead .*Circuit open/);
  expect(list).not.toMatch(/(busy|keyed) .*Circuit open/);
  expect(list).toMatch(/busy .*Cooling down/);
  expect(list).toMatch(/keyed .*Enabled 1\/2/);
  expect((await runLine('channels show 1')).stdout).toMatch(
    /reason +50\d .*since .*next attempt in 10 s/,
  );
  expect((await runLine('channels show 2')).stdout).toMatch(/reason +gpt-4o: 40 s left/);
  expect((await runLine('channels show 3')).stdout).toContain(
    '2, round robin; disabled: #1 (refused)',
  );
  expect((await runLine('channels show 2')).stdout).not.toContain('keys');
});

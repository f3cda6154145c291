import { describe, expect, test } from 'vitest';
import { environmentName, variableOf } from '../../src/cli/base/flags.ts';
import { version } from '../../src/cli/base/version.ts';
import { flagsOf } from '../../src/cli/command/common-flags.ts';
import { loadAllCommands } from '../../src/cli/topics.ts';
import type { Transport } from '../../src/core/contract/client.ts';
import { runCli } from './run-cli.ts';

const empty: Transport = async (call) => ({
  status: 200,
  body: { success: true, data: call.shape === 'list' ? [] : { items: [], total: 0 } },
  total: 0,
});

describe('command lines', () => {
  test.each([
    ['--version', version],
    ['--help', 'Channels to upstream providers'],
    ['channels --help', 'fetch-models'],
    ['channels add --help', '--key-stdin'],
  ])('%s', async (line, expected) => {
    const run = await runCli(line.split(' '));
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain(expected);
  });

  test.each([
    ['chanels list', 'channels'],
    ['channels lst', 'list'],
    ['channels list --pagesize 3', '--page-size'],
    ['--json chanels list', 'channels'],
  ])('%s suggests the nearest', async (line, nearest) => {
    const run = await runCli(line.split(' '));
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(nearest);
  });

  test.each([
    'users show',
    'users show 1 2',
    'users list --page 0',
    'route explain',
    'users quota 1',
    'tokens add --name x',
    'logs list --type odd',
  ])('%s is a usage error', async (line) => {
    expect((await runCli(line.split(' '), { transport: empty })).exitCode).toBe(2);
  });

  test.each([
    ['users list --page abc', '--page abc: use a whole number, 1 or more'],
    ['users list --page-size 101', '--page-size 101: use a whole number from 1 to 100'],
    ['channels edit 1 --weight -3', '--weight -3: use a whole number, 0 or more'],
    ['channels edit 1 --priority 1.5', '--priority 1.5: use a whole number'],
    ['channels edit 1 --auto-ban maybe', '--auto-ban maybe: choose one of on, off'],
    [
      'channels edit 1 --model-mapping {bad',
      '--model-mapping {bad: use a JSON object such as {"a":"b"}',
    ],
    ['channels add --name a --key k --type nosuch', '--type nosuch: see `turnpike channels types`'],
    [
      'tokens add --name x --unlimited --expires soon',
      '--expires soon: use 2026-11-20, 2026-11-20T19:04:52, Unix seconds, a span from now',
    ],
    ['logs list --since yesterday', '--since yesterday: use 2026-11-20'],
    ['users show abc', 'abc is not an id: use a whole number, 1 or more'],
    ['completion tcsh', 'SHELL tcsh: choose one of bash, zsh, fish, powershell'],
    ['users list a b', 'Too many arguments for list: a, b (expected 0)'],
    ['options get', 'The argument KEY is missing'],
    ['users list --page', 'The flag needs a value: --page <N>'],
    ['users frob', 'Unknown command frob: see --help'],
    ['users frob --lang zh', '未知命令 frob：可用命令见 --help'],
    ['completion tcsh --lang zh', 'SHELL tcsh：可选 bash, zsh, fish, powershell'],
    ['users list --page 0 --lang zh', '--page 0：请使用整数，至少 1'],
  ])('%s: the message names the value and what is allowed', async (line, expected) => {
    const run = await runCli(line.split(' '), { transport: empty });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(expected);
  });

  test('a wrong variable is named as a variable', async () => {
    const run = await runCli(['logs', 'list'], {
      transport: empty,
      environment: { TURNPIKE_JSON: 'odd' },
    });
    expect(run.stderr).toContain('TURNPIKE_JSON=odd: use true or false');
  });

  test('no variable changes data, lists something else or agrees to a deletion', async () => {
    const own = (await loadAllCommands()).flatMap(({ commands }) =>
      commands.filter(({ name }) => name !== 'serve').flatMap(({ flags }) => flags),
    );
    const names = own.flatMap((flag) => variableOf(flag) ?? []);
    expect([...new Set(names)].sort()).toEqual([
      'TURNPIKE_ASCII',
      'TURNPIKE_DATABASE_URL',
      'TURNPIKE_DATA_DIR',
      'TURNPIKE_SETUP_CODE',
      'TURNPIKE_TEXT',
    ]);
  });

  test('a long argument does not push a question off the terminal', async () => {
    const asked: unknown[] = [];
    const run = await runCli(['options', 'reset', `Key\u001b[2K${'x'.repeat(500)}`], {
      transport: empty,
      person: { agrees: false, asked },
    });
    expect(run.exitCode).toBe(1);
    expect(asked).toEqual([{ key: `Key [2K${'x'.repeat(32)}…` }]);
  });

  test('a topic alone shows its commands', async () => {
    const run = await runCli(['tokens']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('disable');
  });

  test('singular nouns are aliases', async () => {
    for (const noun of ['user', 'channel', 'token', 'redemption', 'log']) {
      expect((await runCli([noun, 'list', '--json'], { transport: empty })).json(), noun).toEqual({
        items: [],
        total: 0,
      });
    }
  });

  test('shared flags can be before or after the command', async () => {
    for (const line of ['--json users list', 'users --json list', 'users list --json']) {
      expect((await runCli(line.split(' '), { transport: empty })).json(), line).toEqual({
        items: [],
        total: 0,
      });
    }
  });

  test('the language is a flag, a variable, or the locale', async () => {
    const chinese = [
      runCli(['users', 'list', '--lang', 'zh'], { transport: empty }),
      runCli(['users', 'list', '--lang=zh'], { transport: empty }),
      runCli(['users', 'list'], { transport: empty, environment: { TURNPIKE_LANG: 'zh' } }),
      runCli(['users', 'list'], { transport: empty, environment: { LC_ALL: 'zh_CN.UTF-8' } }),
    ];
    for (const run of await Promise.all(chinese)) expect(run.stderr).toContain('没有记录');
    const mistake = await runCli(['chanels', '--lang', 'zh']);
    expect(mistake.stderr).toContain('未知命令 chanels（是不是 channels？）');
    expect((await runCli(['docs', '--lang', 'zh'])).stderr).toContain('（是不是 jobs, logs？）');
  });

  test('--quiet drops notes, not failures', async () => {
    expect((await runCli(['users', 'list', '--quiet'], { transport: empty })).stderr).toBe('');
    expect((await runCli(['users', 'show', 'x', '--quiet'])).stderr).not.toBe('');
  });

  test('pages count from 1 whatever the API does', async () => {
    const seen: unknown[] = [];
    const transport: Transport = (call, input) => {
      seen.push([call.path, input['p']]);
      return empty(call, input);
    };
    await runCli(['users', 'list', '--page', '2', '--json'], { transport });
    await runCli(['channels', 'list', '--page', '2', '--json'], { transport });
    expect(seen).toEqual([
      ['/api/user/', 2],
      ['/api/channel/', 1],
    ]);
  });
});

describe('the table of commands', () => {
  test('names are unique and start with their topic; flags are kebab-case with both languages', async () => {
    const seen = new Set<string>();
    for (const { topic, commands } of await loadAllCommands()) {
      for (const command of commands) {
        expect(command.name.split(' ')[0]).toBe(topic.name);
        expect(seen.has(command.name), command.name).toBe(false);
        seen.add(command.name);
        const names = flagsOf(command).map((flag) => flag.name);
        expect(new Set(names).size, command.name).toBe(names.length);
        for (const flag of flagsOf(command)) {
          expect(flag.name).toMatch(/^[a-z][a-z0-9-]*$/);
          expect(environmentName(flag.name)).toMatch(/^TURNPIKE_[A-Z0-9_]+$/);
          expect(flag.summary.zh, flag.name).toMatch(/[\u4e00-\u9fff]|JSON/);
        }
      }
    }
    expect(seen.size).toBeGreaterThan(45);
  });

  test('commands that delete or reset ask for confirmation', async () => {
    const all = (await loadAllCommands())
      .flatMap(({ commands }) => commands)
      .filter((command) => !command.local);
    for (const command of all.filter(({ name }) => /delete|prune|reset/.test(name)))
      expect(command.confirmation, command.name).toBeDefined();
  });
});

describe('hints below a failure', () => {
  test.each([
    ['users edit 2', 'See: turnpike help users edit'],
    ['options get GroupRatios', 'Did you mean GroupRatio?'],
    ['users list --pgae 2', 'See: turnpike help users list'],
    ['route explain gpt-5.1', 'See: turnpike help route explain'],
    ['options get zzz', 'Names: turnpike options list --all'],
    ['tasks show nothing', 'What there is: turnpike tasks list'],
  ])('%s: %s', async (line, expected) => {
    const transport: Transport = async () => ({
      status: 200,
      body: { success: true, message: '', data: [] },
      total: 0,
    });
    const run = await runCli(line.split(' '), { transport });
    expect(run.stderr.trim().split('\n')[1]).toBe(expected);
    // Scripts get the failure alone.
    expect((await runCli([...line.split(' '), '--json'], { transport })).failure()).toHaveProperty(
      'code',
    );
  });

  test('help of an unknown command is an error with what there is', async () => {
    const run = await runCli(['help', 'usres']);
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('did you mean users?')]);
  });
});

describe('completion', () => {
  test.each([
    [['channels', 'fe'], 'fetch-models'],
    [['channels', 'add', '--mo'], '--model-mapping'],
    [['users', 'add', '--role', ''], 'admin'],
    [['completion', ''], 'fish'],
  ])('%j offers %s', async (typed, expected) => {
    const { exitCode, stdout } = await runCli(['complete', '--', ...typed]);
    expect(exitCode).toBe(0);
    const printed = stdout.split('\n');
    expect(printed.map((shown) => shown.split('\t')[0])).toContain(expected);
  });
});

/** What a command loads of the built program (docs/performance.md#start). */
// Covers src/core/relay/engine.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { startUpstream } from '../support/upstream.ts';
import { folder, run, start, startPrograms } from './programs.ts';

startPrograms();

const built = join(dirname(program), '../dist');
/** Says which files are loaded, as they are. */
const hook = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (url.startsWith('file:')) process.stderr.write('loads ' + url + '\\n');
  return next(url, context);
} });`;
const needless = [
  'node_modules/undici/lib/dispatcher/pool.js',
  'node_modules/ws/lib/websocket.js',
  'src/core/relay/entry/relay.ts',
  'src/core/relay/engine.ts',
];

test('a command without a gateway loads neither the relay nor what calls upstreams, until it calls one', async () => {
  const site = ['--data-dir', folder];
  const made = await run(
    ['setup', '--username', 'root', '--password-stdin', ...site],
    'a long password\n',
  );
  expect(made).toMatchObject({ exitCode: 0 });

  const list = start(['users', 'list', ...site], {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}`,
  });
  expect(await list.exited).toBe(0);
  const loaded = [...list.printed.stderr.matchAll(/^loads .*\/dist\/(.+)$/gm)].map(
    ([, name]) => name,
  );
  expect(loaded).toContain('main.js');
  for (const part of needless) {
    const files = readdirSync(built).filter(
      (name) =>
        name.endsWith('.js') && readFileSync(join(built, name), 'utf8').includes(`// ${part}\n`),
    );
    expect(files, part).not.toEqual([]);
    for (const file of files) expect(loaded, part).not.toContain(file);
  }

  const upstream = await startUpstream();
  const added = await run(
    [
      ...['channels', 'add', '--name', 'one', '--type', 'openai', '--key-stdin', '--models', 'm'],
      ...['--base-url', upstream.url, ...site],
    ],
    'sk-one\n',
  );
  expect(added).toMatchObject({ exitCode: 0 });
  const tested = await run(['channels', 'test', '1', '--model', 'm', '--json', ...site]);
  expect(tested).toMatchObject({ exitCode: 0 });
  expect(upstream.requests).toHaveLength(1);
  await upstream.close();
});

/**
 * The screens in real terminals, against a gateway full of data: on the gateway's machine in English at 80x24, and on a remote
 * gateway by a profile in Chinese at 160x50. The frames are written to `test-results/terminal` for people to look at.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FullSite, startFullSite } from '../../support/full-site.ts';
import { hasTmux, openTerminal, type TestTerminal } from '../../support/terminal.ts';
import { runCli } from '../run-cli.ts';
import { type Frame, walk } from './walk.ts';

const root = join(import.meta.dirname, '../../..');
const program = `'${process.execPath}' '${join(root, 'src/cli/main.ts')}'`;

/** One text file per frame. */
function keep(folder: string, frames: readonly Frame[]): void {
  const path = join(root, 'test-results/terminal', folder);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  for (const [index, { name, lines }] of frames.entries()) {
    const file = `${String(index + 1).padStart(2, '0')}-${name.replace(/\W+/g, '-')}.txt`;
    writeFileSync(join(path, file), `${lines.join('\n')}\n`);
  }
}

describe.skipIf(!hasTmux())('the screens (needs tmux)', () => {
  let site: FullSite;
  let folder: string;
  let terminal: TestTerminal;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'turnpike-screens-'));
    site = await startFullSite();
    await site.callModels(24);
  });
  afterEach(() => terminal.close());
  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('every screen at 80x24, on the machine of the gateway', async () => {
    terminal = await openTerminal(80, 24);
    await terminal.run(`clear; ${program} tui --data-dir '${site.gateway.dataDir}' --lang en; echo "left with $?"`);
    await terminal.see(/ rpm /);
    keep('80x24', await walk(terminal, 80, 24));
    await terminal.press('q');
    await terminal.see(/left with 0/);
  }, 60_000);

  test('every screen at 160x50, of a remote gateway by its profile', async () => {
    const environment = { TURNPIKE_CONFIG_DIR: folder };
    const token = await site.gateway.client.self.systemToken({});
    await runCli(['profiles', 'save', 'home', '--server', site.gateway.url, '--access-token-stdin'], {
      environment,
      input: `${token}\n`,
    });
    terminal = await openTerminal(160, 50, environment);
    await terminal.run(`clear; ${program} tui --profile home --lang zh; echo "left with $?"`);
    await terminal.see(/ rpm /);
    keep('160x50', await walk(terminal, 160, 50));
    await terminal.press('C-c');
    expect((await terminal.see(/left with 0/)).join('\n')).not.toContain('rpm');
  }, 60_000);
});

/**
 * The completion scripts of zsh and fish, typed into real shells without start-up files, in a
 * pseudo-terminal (tmux).
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { program } from '../support/program.ts';
import { hasTool } from '../support/tools.ts';

const shells = [
  {
    name: 'zsh' as const,
    start: 'zsh -f',
    path: (programs: string) => `path=('${programs}' $path)`,
    setUp: "PS1='> '; source <(turnpike completion zsh); clear",
    evaluated: (command: string) => `$(${command})`,
  },
  {
    name: 'fish' as const,
    start: 'fish --no-config',
    path: (programs: string) => `set -gx PATH '${programs}' $PATH`,
    setUp: "function fish_prompt; echo '> '; end; turnpike completion fish | source; clear",
    evaluated: (command: string) => `(${command})`,
  },
].map((shell) => ({
  ...shell,
  missing: (['tmux', shell.name] as const).filter((tool) => !hasTool(tool)),
}));

let folder = '';
let started = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-shell-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin/turnpike'),
    `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`,
  );
  chmodSync(join(folder, 'bin/turnpike'), 0o755);
  if (shells.every(({ missing }) => missing.length > 0)) return;
  const turnpike = (line: string, input = '') =>
    execFileSync(
      join(folder, 'bin/turnpike'),
      [...line.split(' '), '--data-dir', join(folder, 'site')],
      {
        input,
        stdio: 'pipe',
      },
    );
  turnpike('setup --username root --password-stdin', 'a long password');
  turnpike('channels add --name main --type openai --key k --models gpt-5.1');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(shells)('completion in $name', ({ start, path, setUp, evaluated, missing }) => {
  // A server of its own for each test: one that ends may still hold its socket.
  const socket = () => `turnpike-completion-${process.pid}-${started}`;
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-L', socket(), '-f', '/dev/null', ...words], { encoding: 'utf8' });
  afterEach(() => {
    try {
      tmux('kill-server');
    } catch {
      // none was started
    }
  });
  const screen = () => tmux('capture-pane', '-p').trimEnd();

  /** Types a line after the prompt, then Tab. */
  async function complete(line: string): Promise<void> {
    started += 1;
    const home = ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'ZDOTDIR'].flatMap((variable) => [
      '-e',
      `${variable}=${folder}`,
    ]);
    home.push('-e', `TURNPIKE_DATA_DIR=${join(folder, 'site')}`);
    tmux('new-session', '-d', '-x', '100', '-y', '30', ...home, '-e', 'LANG=C.UTF-8', start);
    await vi.waitFor(() => expect(screen()).not.toBe(''), { interval: 100 });
    // A login shell, by which tmux starts programs, has a path of its own.
    tmux('send-keys', '-l', `${path(join(folder, 'bin'))}; ${setUp}`);
    tmux('send-keys', 'Enter');
    await vi.waitFor(() => expect(screen()).toBe('>'), { interval: 100 });
    tmux('send-keys', '-l', line);
    tmux('send-keys', 'Tab');
  }
  const shows = (pattern: RegExp) =>
    vi.waitFor(() => expect(screen()).toMatch(pattern), { interval: 100 });

  test.skipIf(missing.length > 0).each([
    ['turnpike chan', /> turnpike channels$/],
    ['turnpike channels fe', /> turnpike channels fetch-models$/],
    ['turnpike users add --role=a', /> turnpike users add --role=admin$/],
    // Several: all are shown.
    ['turnpike completion ', /bash\s+(fish|zsh|powershell)[\s\S]*powershell/],
    ['turnpike users add --role ', /user\s+admin|admin\s+user/],
    ['turnpike channels ', /fetch-models.*List the models of a channel/],
    ['turnpike channels show ', /> turnpike channels show 1$/],
    ['turnpike tokens add --models gpt', /> turnpike tokens add --models gpt-5.1$/],
  ])('%s', async (line, expected) => {
    await complete(line);
    await shows(expected);
  });

  test.skipIf(missing.length > 0)(
    'typed words are not evaluated',
    { timeout: 60_000 },
    async () => {
      const file = join(folder, 'evaluated');
      await complete(`turnpike users '${evaluated(`touch ${file}`)}' `);
      // The next key is read when the completion is over.
      tmux('send-keys', '-l', 'x');
      await shows(/x$/);
      expect(existsSync(file)).toBe(false);
    },
  );
});

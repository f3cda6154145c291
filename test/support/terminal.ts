/** A real terminal (tmux) whose keys a test presses and whose cells it reads. */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const waitMs = 60_000;
const pollMs = 40;
/**
 * The longest wait for the effect of Escape: a key that follows before it is read is Alt and that
 * key.
 */
const escapeMs = 1500;
const namedKey = /^(.|[A-Z][A-Za-z]+|[CS]-.)$/u;

export interface TestTerminal {
  /** Every line with all its cells, from the top. */
  show(): Promise<readonly string[]>;
  /** Keys by tmux's names (`Enter`, `C-c`), and texts of several characters as they are. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types a text as it is, with Enter at the end. */
  run(command: string): Promise<void>;
  /** Waits until the text is shown and nothing changes; throws with the screen after a minute. */
  see(expected: RegExp): Promise<readonly string[]>;
  /** Whether a program has its own screen, and whether the cursor is shown. */
  modes(): Promise<{ readonly alternate: boolean; readonly cursor: boolean }>;
  resize(columns: number, rows: number): Promise<void>;
  close(): Promise<void>;
}

let serial = 0;

/** A shell in a terminal of this size. */
export async function openTerminal(
  columns: number,
  rows: number,
  environment: Record<string, string> = {},
): Promise<TestTerminal> {
  serial += 1;
  const socket = `turnpike-test-${process.pid}-${serial}`;
  const tmux = async (...words: string[]) =>
    (await run('tmux', ['-L', socket, '-f', '/dev/null', ...words])).stdout;
  // In CI Ink draws the last frame only, so there is no CI.
  const variables = Object.entries({ LANG: 'C.UTF-8', CI: 'false', PS1: '$ ', ...environment });
  const flags = variables.flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), ...flags, 'sh');
  await tmux('set', '-g', 'escape-time', '0');
  const show = async () => (await tmux('capture-pane', '-pN')).replace(/\n$/, '').split('\n');
  return {
    show,
    press: async (...keys) => {
      // One call of tmux for all of them, up to an Escape.
      let words: string[] = [];
      const send = async () => {
        if (words.length > 0) await tmux(...words.slice(1));
        words = [];
      };
      for (const key of keys) {
        words.push(';', 'send-keys', ...(namedKey.test(key) ? [key] : ['-l', key]));
        if (key !== 'Escape') continue;
        const before = (await show()).join('\n');
        await send();
        const deadline = Date.now() + escapeMs;
        while (Date.now() < deadline && (await show()).join('\n') === before) await sleep(pollMs);
      }
      await send();
    },
    run: async (command) => {
      await tmux('send-keys', '-l', command);
      await tmux('send-keys', 'Enter');
    },
    see: async (expected) => {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const lines = await show();
        // A screen that is being drawn is half old and half new.
        const isShown = expected.test(lines.join('\n'));
        if (isShown) await sleep(pollMs);
        if (isShown && (await show()).join('\n') === lines.join('\n')) return lines;
        if (Date.now() > deadline)
          throw new Error(`${expected} is not on the screen:\n${lines.join('\n')}`);
        await sleep(pollMs);
      }
    },
    modes: async () => {
      const [alternate, cursor] = (
        await tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}')
      )
        .trim()
        .split(' ');
      return { alternate: alternate === '1', cursor: cursor === '1' };
    },
    resize: async (newColumns, newRows) => {
      await tmux('resize-window', '-x', String(newColumns), '-y', String(newRows));
    },
    close: async () => {
      await tmux('kill-server').catch(() => {}); // it ends with its last shell
    },
  };
}

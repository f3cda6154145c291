/**
 * The screens in real terminals, against a gateway full of data: on the gateway's machine in
 * English at 80x24, and on a remote gateway by a profile in Chinese at 160x50. The frames are
 * written to `test-results/terminal` for people to look at.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FullSite, startFullSite } from '../../support/full-site.ts';
import { program } from '../../support/program.ts';
import { openTerminal, type TestTerminal } from '../../support/terminal.ts';
import { hasTool } from '../../support/tools.ts';
import { runCli } from '../run-cli.ts';
import { checkFrame } from './check-frame.ts';
import { type Frame, walk } from './walk.ts';

const root = join(import.meta.dirname, '../../..');
const turnpike = `'${process.execPath}' '${program}'`;

/** All frames of a size in one text file. `npm run screens` copies them into the docs. */
function keep(size: string, frames: readonly Frame[]): void {
  const folder = join(root, 'test-results/terminal');
  mkdirSync(folder, { recursive: true });
  const text = frames.map(
    ({ name, lines }, index) => `${index + 1}. ${name}\n\n${lines.join('\n')}\n`,
  );
  writeFileSync(join(folder, `${size}.txt`), text.join('\n'));
}

/** A connection to the gateway that can be cut and comes back at its own address. */
async function openFront(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const gateway = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  const open = async (own = 0) => {
    await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const own = await open();
  return {
    url: `http://127.0.0.1:${own}`,
    open: () => open(own),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.skipIf(!hasTool('tmux'))('the screens (needs tmux)', () => {
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
    await terminal.run(
      `clear; ${turnpike} tui --data-dir '${site.gateway.dataDir}' --lang en; echo "left with $?"`,
    );
    await terminal.see(/ rpm /);
    keep('80x24', await walk(terminal, 80, 24));
    await terminal.press('q');
    await terminal.see(/left with 0/);
  });

  test('a table is edited in an editor; the terminal is left as it was on SIGTERM and after a crash', async () => {
    const editor = join(folder, 'editor.sh');
    writeFileSync(editor, `sed -i 's/"vip": 0.8/"vip": 0.75/' "$1"`);
    const preload = join(folder, 'crash.mjs');
    writeFileSync(preload, `process.on('SIGUSR2', () => { throw new Error('on purpose'); });`);
    terminal = await openTerminal(80, 24, {
      EDITOR: `sh ${editor}`,
      NO_COLOR: '1',
      NODE_OPTIONS: `--import=${preload}`,
    });
    const tui = `${turnpike} tui --data-dir '${site.gateway.dataDir}' --lang en`;
    const start = async () => {
      await terminal.run(
        `clear; echo before; ${tui} & echo $! > '${folder}/pid'; fg > /dev/null; echo "left with $?"`,
      );
      await terminal.see(/ rpm /);
    };
    const kill = (signal: NodeJS.Signals) =>
      process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), signal);
    await terminal.run('set -m');
    await start();
    await terminal.press('7', '/', 'groupratio', 'Enter');
    await terminal.see(/─ Options 3 .* · \/groupratio ─/);
    await terminal.press('Down');
    await terminal.see(/▸ ▪ GroupRatio /);
    await terminal.press('e');
    checkFrame(await terminal.see(/Set GroupRatio · U takes it back/), 80, 24, 'after the editor');
    expect(
      (await site.gateway.client.option.list()).find(({ key }) => key === 'GroupRatio')?.value,
    ).toContain('0.75');
    // A resize is followed at once, and a terminal that is too small says so.
    await terminal.resize(132, 30);
    checkFrame(await terminal.see(/^┌─{130}┐$/m), 132, 30, 'resized');
    await terminal.resize(40, 8);
    await terminal.see(/at least 80x24/);
    await terminal.resize(80, 24);
    await terminal.see(/^┌─{78}┐$/m);
    for (const [signal, expected] of [
      ['SIGTERM', /before\s+left with 0/],
      ['SIGUSR2', /before\s+[^\n]*on purpose\s+left with 1/],
    ] as const) {
      kill(signal);
      await terminal.see(expected);
      expect(await terminal.modes()).toEqual({ alternate: false, cursor: true });
      await terminal.run('stty -a | grep -ow "[-]*icanon"; stty -a | grep -ow "[-]*echo"');
      await terminal.see(/^icanon\s+echo\s/m);
      if (signal === 'SIGTERM') await start();
    }
  });

  test('every screen at 160x50, of a remote gateway by its profile', async () => {
    const environment = { TURNPIKE_CONFIG_DIR: folder };
    const token = await site.gateway.client.self.systemToken({});
    const front = await openFront(Number(new URL(site.gateway.url).port));
    await runCli(['profiles', 'save', 'home', '--server', front.url, '--access-token-stdin'], {
      environment,
      input: `${token}\n`,
    });
    terminal = await openTerminal(160, 50, environment);
    await terminal.run(`clear; ${turnpike} tui --profile home --lang zh; echo "left with $?"`);
    await terminal.see(/ rpm /);
    keep('160x50', await walk(terminal, 160, 50));
    // The gateway goes and comes back: the figures stay, and so do the keys.
    await front.close();
    await terminal.press('Escape', '3');
    await terminal.see(/✕ 无法连接[\s\S]*正在重试/);
    await front.open();
    await terminal.see(/● 运行中[\s\S]*─ 渠道 \d+ [\s\S]*已重新连接/);
    await terminal.press('C-c');
    expect((await terminal.see(/left with 0/)).join('\n')).not.toContain('rpm');
    await front.close();
  });
});

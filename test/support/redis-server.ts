/** A Redis server process of its own, with nothing on disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { hasTool } from './tools.ts';

export const hasRedis = (): boolean => hasTool('redis');

export interface RedisServer {
  readonly url: string;
  /** Ends the process; clients lose their connections. */
  stop(): Promise<void>;
  /** Starts it again at the same address, empty; nothing where it runs. */
  start(): Promise<void>;
  /** Stops answering, without closing connections. */
  freeze(): void;
  thaw(): void;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    if (child !== undefined) return;
    const flags = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
    ];
    const started = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    let printed = '';
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    started.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      if (printed.includes('Ready to accept connections')) resolve();
    });
    const failed = once(started, 'exit').then(() => {
      throw new Error(`Redis did not start:\n${printed}`);
    });
    await Promise.race([ready, failed]);
    failed.catch(() => undefined); // the test stops it
  };
  const stop = async () => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}

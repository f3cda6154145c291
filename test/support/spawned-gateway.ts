/** The gateway from its sources in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readGatewayFile } from '../../src/core/config/gateway-file.ts';
import { type Client, createClient, layOutCall } from '../../src/core/contract/client.ts';
import { program } from './program.ts';

/** Time limit until it listens, in ms. */
const startMs = 90_000;
const unlimited = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT_ENABLE: 'false' };

export interface SpawnedGateway {
  readonly url: string;
  /** The operator's key: with it a call has root rights. */
  readonly key: string;
  readonly dataDir: string;
  /** What it has printed so far. */
  printed(): string;
  /** Its exit code once it has ended. */
  readonly ended: Promise<number | null>;
  /** Ends it with SIGKILL. Its folder stays, for another one. */
  kill(): Promise<void>;
  /** Ends it as a service manager does, with SIGTERM. Its folder stays. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Throws with the program's output if it does not start. Its setup code is TESTAB. `dataDir` is
 * removed when it is closed; absent: a new folder. `path` names a program elsewhere;
 * `user` is who it runs as, which only root may choose.
 */
export async function spawnGateway(
  environment: Readonly<Record<string, string>> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'turnpike-spawned-')),
  path = program,
  user?: number,
): Promise<SpawnedGateway> {
  const child = spawn(
    process.execPath,
    [path, 'serve', '--port', '0', '--no-open', '--data-dir', dataDir],
    {
      env: {
        ...process.env,
        NO_COLOR: '1',
        SETUP_TOKEN: 'TESTAB',
        DURABILITY: 'normal',
        ...unlimited,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user !== undefined && { uid: user, gid: user }),
    },
  );
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  const close = async () => {
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  const deadline = Date.now() + startMs;
  for (;;) {
    const address = readGatewayFile(dataDir);
    if (address !== undefined)
      return {
        url: address.url,
        key: address.key.reveal(),
        dataDir,
        printed: () => printed,
        ended,
        kill: () => stop(child, 'SIGKILL'),
        stop: () => stop(child),
        close,
      };
    if (child.exitCode !== null || Date.now() > deadline) {
      await close();
      throw new Error(`the gateway did not start:\n${printed}`);
    }
    await sleep(50);
  }
}

async function stop(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** A client with root rights. */
export function operatorOf({ url, key }: SpawnedGateway): Client {
  return createClient(async (call, input) => {
    const { method, path, body } = layOutCall(call, input);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const reply = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json(), total: undefined };
  });
}

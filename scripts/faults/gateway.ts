/** A gateway process that the suite starts, looks into, freezes and ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readGatewayFile } from '../../src/core/config/gateway-file.ts';
import type { Inquiry, Look } from './inside.ts';

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const inside = new URL('./inside.ts', import.meta.url).href;

export const metricsToken = 'metrics';
/**
 * Milliseconds until it listens, and until it has to be gone after SIGTERM: 30 s for streams, 8 s
 * to settle, 1 s to close.
 */
const startMs = 60_000;
const stopMs = 50_000;

export interface GatewaySettings {
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Milliseconds since it was told to. */
  readonly ms: number;
}

let serial = 0;

export class GatewayProcess {
  /** Of the run: every start is another process. */
  readonly id: number;
  readonly url: string;
  /** With it a call has root's rights. */
  readonly operatorKey: string;
  readonly #child: ChildProcess;
  readonly #socket: string;
  readonly #printed: () => string;

  private constructor(
    child: ChildProcess,
    socket: string,
    address: { url: string; key: string },
    printed: () => string,
  ) {
    serial += 1;
    this.id = serial;
    this.#child = child;
    this.#socket = socket;
    this.url = address.url;
    this.operatorKey = address.key;
    this.#printed = printed;
  }

  /** Throws with what it printed if it does not start. */
  static async start({ dataDir, environment }: GatewaySettings): Promise<GatewayProcess> {
    const socket = join(dataDir, 'look');
    const child = spawn(
      process.execPath,
      [program, 'serve', '--port', '0', '--no-open', '--data-dir', dataDir],
      {
        env: {
          ...process.env,
          NODE_OPTIONS: `--import=${inside}`,
          FAULTS_SOCKET: socket,
          NO_COLOR: '1',
          TURNPIKE_METRICS_TOKEN: metricsToken,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed = (printed + chunk.toString('utf8')).slice(-20_000);
      });
    const deadline = Date.now() + startMs;
    for (;;) {
      const address = readGatewayFile(dataDir);
      // That of a process that was killed is still there.
      if (address !== undefined && address.pid === child.pid)
        return new GatewayProcess(
          child,
          socket,
          { url: address.url, key: address.key.reveal() },
          () => printed,
        );
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`the gateway did not start (${child.exitCode}):\n${printed}`);
      }
      await sleep(30);
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Its exit code, or the signal that ended it. */
  get exit(): number | string | null {
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  /** The end of what it printed. */
  get printed(): string {
    return this.#printed();
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Ends it. Throws if it does not end in time. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<End> {
    const startedAt = Date.now();
    if (this.isRunning) {
      const late = new AbortController();
      const ended = once(this.#child, 'exit', {
        signal: AbortSignal.any([late.signal, AbortSignal.timeout(stopMs)]),
      });
      this.#child.kill(signal);
      await ended.catch(() => {
        this.#child.kill('SIGKILL');
        throw new Error(
          `the gateway did not end within ${stopMs / 1000} s of ${signal}:\n${this.printed}`,
        );
      });
    }
    return {
      code: this.#child.exitCode,
      signal: this.#child.signalCode,
      ms: Date.now() - startedAt,
    };
  }

  async #ask(inquiry: Inquiry): Promise<unknown> {
    const socket = connect(this.#socket);
    socket.write(`${JSON.stringify(inquiry)}\n`);
    return JSON.parse(await text(socket));
  }

  async look(): Promise<Look> {
    return (await this.#ask({ ask: 'look' })) as Look;
  }

  /** Its clock is this many milliseconds off. */
  async shiftClock(ms: number): Promise<void> {
    await this.#ask({ ask: 'shift', ms });
  }

  /** Open files by what they are: sockets, pipes, paths. Linux only; empty elsewhere. */
  openFiles(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    const folder = `/proc/${this.pid}/fd`;
    for (const name of listOrNothing(folder)) {
      let target: string;
      try {
        target = readlinkSync(join(folder, name));
      } catch {
        continue; // closed meanwhile
      }
      const kind = target.replace(/:\[\d+\]$/, '');
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  }

  /** A figure of its metrics page; undefined: there is none. */
  async figures(): Promise<(name: string) => number | undefined> {
    const reply = await fetch(`${this.url}/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}`, connection: 'close' },
      signal: AbortSignal.timeout(5000),
    });
    const page = await reply.text();
    return (name) => {
      const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(page);
      return found === null ? undefined : Number(found[1]);
    };
  }
}

function listOrNothing(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

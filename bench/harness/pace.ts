import { setTimeout as pause } from 'node:timers/promises';
import { readTimes } from './event-times.ts';
import type { Connection } from './http-connection.ts';
import type { LoadTarget, PaceOrder, PaceReport, Timed } from './load-order.ts';
import { createSender } from './request-sender.ts';
import type { RequestName } from './requests.ts';

/** Connections that each target has from the start; more are opened while all are busy. */
const startConnections = 8;

interface Stream {
  readonly latencies: number[];
  failed: number;
  /** Sends one request without waiting for it. */
  fire(): void;
  /** Waits for the replies and closes the connections. */
  finish(): Promise<void>;
}

async function openStream(target: LoadTarget, request: RequestName, timed: Timed): Promise<Stream> {
  const sender = createSender(target, request);
  // The connection that has been idle longest is next, so none is idle until the server closes it.
  const idle: Connection[] = await Promise.all(
    Array.from({ length: startConnections }, () => sender.connect()),
  );
  const underway = new Set<Promise<void>>();
  const nextOpen = async (): Promise<Connection> => {
    for (let next = idle.shift(); next !== undefined; next = idle.shift())
      if (next.isOpen()) return next;
    return sender.connect();
  };
  const exchange = async () => {
    const begun = performance.now();
    const connection = await nextOpen();
    const note = () => stream.latencies.push(performance.now() - begun);
    let isFirst = true;
    const seen = (data: Buffer) => {
      if (timed === 'event') stream.latencies.push(...readTimes(data));
      else if (isFirst) note();
      isFirst = false;
    };
    const isGood = await sender.send(connection, timed === 'reply' ? undefined : seen);
    if (!isGood) stream.failed += 1;
    if (timed === 'reply') note();
    idle.push(connection);
  };
  const stream: Stream = {
    latencies: [],
    failed: 0,
    fire() {
      const work = exchange()
        .catch(() => {
          stream.failed += 1;
        })
        .finally(() => underway.delete(work));
      underway.add(work);
    },
    async finish() {
      await Promise.all(underway);
      for (const connection of idle) connection.close();
    },
  };
  return stream;
}

export async function pace({
  targets,
  request,
  timed,
  perSecond,
  seconds,
}: PaceOrder): Promise<PaceReport> {
  const streams = await Promise.all(targets.map((target) => openStream(target, request, timed)));
  const total = Math.max(1, Math.round(perSecond * seconds)) * streams.length;
  const period = 1000 / (perSecond * streams.length);
  const begun = performance.now();
  for (let sent = 0; sent < total; sent += 1) {
    const wait = begun + sent * period - performance.now();
    if (wait > 0) await pause(wait);
    streams[sent % streams.length]?.fire();
  }
  for (const stream of streams) await stream.finish();
  return {
    latencies: streams.map(({ latencies }) => latencies),
    failed: streams.map(({ failed }) => failed),
  };
}

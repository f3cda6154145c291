import type { Connection } from './http-connection.ts';
import type { SaturateOrder, SaturateReport } from './load-order.ts';
import { createSender } from './request-sender.ts';

export async function saturate({
  target,
  request,
  concurrency,
  count,
  seconds,
}: SaturateOrder): Promise<SaturateReport> {
  const sender = createSender(target, request);
  const connections = await Promise.all(
    Array.from({ length: concurrency }, () => sender.connect()),
  );
  const begun = performance.now();
  const end = begun + (seconds ?? Number.POSITIVE_INFINITY) * 1000;
  const most = count ?? Number.POSITIVE_INFINITY;
  let sent = 0;
  let failed = 0;
  const work = async (first: Connection) => {
    let connection = first;
    while (sent < most && performance.now() < end) {
      sent += 1;
      if (!connection.isOpen()) connection = await sender.connect();
      if (!(await sender.send(connection))) failed += 1;
    }
    connection.close();
  };
  await Promise.all(connections.map(work));
  return { count: sent, failed, seconds: (performance.now() - begun) / 1000 };
}

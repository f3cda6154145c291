/**
 * The load generator, a process of its own: reads orders from standard input and replies to each
 * with one line of JSON.
 */
import { createInterface } from 'node:readline';
import type { LoadOrder } from './harness/load-order.ts';
import { pace } from './harness/pace.ts';
import { saturate } from './harness/saturate.ts';

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as LoadOrder;
  const report = order.kind === 'pace' ? await pace(order) : await saturate(order);
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
process.exit(0);

/** The load generator's process as its caller sees it. */
import { join } from 'node:path';
import type {
  LoadOrder,
  PaceOrder,
  PaceReport,
  SaturateOrder,
  SaturateReport,
} from './load-order.ts';
import { startScript } from './processes.ts';

export interface LoadGenerator {
  saturate(order: Omit<SaturateOrder, 'kind'>): Promise<SaturateReport>;
  pace(order: Omit<PaceOrder, 'kind'>): Promise<PaceReport>;
}

export function startLoadGenerator(core?: number): LoadGenerator {
  const started = startScript([join(import.meta.dirname, '..', 'load.ts')], {}, core);
  const run = async <Report>(order: LoadOrder): Promise<Report> => {
    const line = started.firstLine(/^(\{.*\})$/);
    started.child.stdin?.write(`${JSON.stringify(order)}\n`);
    return JSON.parse(await line) as Report;
  };
  return {
    saturate: (order) => run<SaturateReport>({ kind: 'saturate', ...order }),
    pace: (order) => run<PaceReport>({ kind: 'pace', ...order }),
  };
}

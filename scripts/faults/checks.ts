/** What has to hold after each step. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from './database.ts';
import { type Condition, conditionOf, leaksOf } from './leaks.ts';
import type { Sent } from './load.ts';
import { untilQuiet } from './quiet.ts';
import { type Judgement, judgeRows } from './rows.ts';
import type { Site } from './site.ts';

/** Of a step that is over. */
export interface Outcome {
  readonly violations: readonly string[];
  readonly requests: number;
  readonly reached: number;
  readonly whole: number;
  readonly charged: number;
  /** Rows of errors that were too many to be written. */
  readonly unlogged: number;
  /** Milliseconds until all was quiet. */
  readonly quietMs: number;
  readonly condition: Condition | undefined;
}

/** Where the last step left the books. */
export interface Mark {
  readonly lastRow: number;
  readonly unlogged: number;
}

/** Milliseconds in which rows of errors are stored. */
const storedWithin = 8000;

export async function markOf({ engine }: Site): Promise<Mark> {
  const rows = await engine.books.rowsAfter(0);
  return { lastRow: rows.at(-1)?.id ?? 0, unlogged: await engine.books.unlogged() };
}

export async function checkStep(
  site: Site,
  mark: Mark,
  step: {
    readonly sent: readonly Sent[];
    readonly killedAt: ReadonlyMap<number, number>;
    readonly baseline: Condition | undefined;
  },
): Promise<{ readonly outcome: Outcome; readonly mark: Mark }> {
  const { sent, killedAt, baseline } = step;
  const violations: string[] = [];
  const startedAt = Date.now();
  violations.push(...(await restartEnded(site)));
  violations.push(...(await untilQuiet(site)).map((what) => `it did not become quiet: ${what}`));
  const quietMs = Date.now() - startedAt;
  violations.push(...(await verifyLedger(site)));
  const { judgement, rows, unlogged } = await readRows(site, mark, { sent, killedAt });
  violations.push(...judgement.violations);
  const lost = judgement.missing.length - judgement.nameless - (unlogged - mark.unlogged);
  if (lost > 0)
    violations.push(
      `${lost} requests that reached an upstream have no row, among ${judgement.missing.slice(0, 5).join('; ')}`,
    );
  let condition: Condition | undefined;
  for (const [index, gateway] of site.gateways.entries()) {
    const now = await conditionOf(gateway).catch((error: unknown) => String(error));
    if (typeof now === 'string') {
      violations.push(`gateway ${index + 1} is gone: ${now}\n${gateway.printed}`);
      continue;
    }
    condition ??= now;
    if (baseline !== undefined)
      violations.push(
        ...leaksOf(baseline, now).map(
          (what) => `gateway ${index + 1} has more than before: ${what}`,
        ),
      );
  }
  const outcome: Outcome = {
    violations,
    requests: sent.length,
    reached: sent.filter(({ order }) => site.upstream.reached.has(order.number)).length,
    whole: judgement.whole,
    charged: judgement.charged,
    unlogged: unlogged - mark.unlogged,
    quietMs,
    condition,
  };
  site.upstream.reached.clear();
  return { outcome, mark: { lastRow: rows.at(-1)?.id ?? mark.lastRow, unlogged } };
}

/**
 * Gateways that ended by themselves; what they still had to write is written at their next start.
 */
async function restartEnded(site: Site): Promise<readonly string[]> {
  const ended = site.gateways.filter(({ isRunning }) => !isRunning);
  for (const gateway of ended) await site.end(gateway, 'SIGKILL');
  await site.start();
  return ended.map(({ exit, printed }) => `a gateway ended by itself (${exit}):\n${printed}`);
}

/** By the gateway, which settles first what waits. */
async function verifyLedger(site: Site): Promise<readonly string[]> {
  const [gateway] = site.gateways;
  if (gateway === undefined) return ['no gateway runs'];
  try {
    const { ok, stale_holds: stale, drifts } = await site.operator(gateway).ledger.verify();
    const found = ok ? [] : [`ledger verify: ${JSON.stringify(drifts).slice(0, 1000)}`];
    return stale === 0 ? found : [...found, `holds of no request: ${stale}`];
  } catch (error) {
    return [`ledger verify failed: ${String(error)}`];
  }
}

/** Reads rows until each request that should have one has it, or none comes any more. */
async function readRows(
  { engine, upstream }: Site,
  mark: Mark,
  { sent, killedAt }: Pick<Parameters<typeof checkStep>[2], 'sent' | 'killedAt'>,
): Promise<{
  readonly judgement: Judgement;
  readonly rows: readonly Row[];
  readonly unlogged: number;
}> {
  const deadline = Date.now() + storedWithin;
  for (;;) {
    const rows = await engine.books.rowsAfter(mark.lastRow);
    const unlogged = await engine.books.unlogged();
    const judgement = judgeRows({ sent, reached: upstream.reached, rows, killedAt });
    const accounted = unlogged - mark.unlogged + judgement.nameless;
    const isComplete = judgement.missing.length <= accounted && judgement.violations.length === 0;
    if (isComplete || Date.now() > deadline) return { judgement, rows, unlogged };
    await sleep(500);
  }
}

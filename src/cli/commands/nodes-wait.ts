/** Waits for a gateway that was drained (docs/rules/process.md#drain). */
import type { OutputOf } from '../../core/contract/endpoint.ts';
import { api } from '../../core/contract/index.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { Context } from '../command/command.ts';

const { nodes } = api;
type Nodes = OutputOf<typeof nodes.list>;

/** Milliseconds between two looks, and until a gateway has followed a request. */
const lookMs = 1000;
const followMs = 30_000;

/**
 * Resolves with those of the gateways that are left: empty ones, or with `stops` none. Rejects when
 * somebody else lets one go on, when one does not follow, and on Ctrl-C.
 */
export async function waitUntilEmpty(
  context: Pick<Context, 'call' | 'clock' | 'output' | 'stop'>,
  ids: ReadonlySet<string>,
  { address, stops }: { readonly address: string; readonly stops: boolean },
): Promise<Nodes> {
  const { clock, output } = context;
  const stop = context.stop();
  const startedAt = clock.now();
  let hasFollowed = false;
  /** The gateway that answers may be the one that ends. */
  let asks = '';
  try {
    for (;;) {
      stop.throwIfAborted();
      let found: Nodes;
      try {
        found = await context.call(nodes.list, {});
      } catch (error) {
        if (stops && hasFollowed && ids.has(asks) && isGone(error)) return [];
        throw error;
      }
      asks = found.find((node) => node.this)?.id ?? '';
      const left = found.filter(({ id }) => ids.has(id));
      const isServing = left.some(({ state }) => state === 'serving');
      if (isServing && (hasFollowed || clock.now() - startedAt > followMs))
        throw new Error(output.localize(hasFollowed ? texts.resumed : texts.deaf, { address }));
      hasFollowed ||= !isServing;
      if (left.every(({ state }) => !stops && state === 'empty')) return left;
      const count = left.reduce((sum, { under_way: more }) => sum + more, 0);
      output.progress(output.localize(texts.waiting, { address, count }));
      await clock.sleep(lookMs, stop).catch(() => undefined);
    }
  } finally {
    output.progress(undefined);
  }
}

function isGone(error: unknown): boolean {
  const code = error instanceof AppError ? error.code : (error as { code?: unknown }).code;
  return code === 'gateway_unreachable' || code === 'shutting_down';
}

const texts = {
  waiting: {
    en: 'Waiting for {address}: {count} under way',
    zh: '等待 {address}：{count} 个进行中',
  },
  resumed: {
    en: '{address} takes requests again: somebody has resumed it',
    zh: '{address} 已被恢复服务',
  },
  deaf: {
    en: '{address} has not followed within 30 s: it hangs, or its version is older than this command',
    zh: '{address} 在 30 秒内没有响应：可能已卡住，或其版本早于此命令',
  },
} as const;

import type { PassThrough } from '../../canonical/pass-through.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { Operation } from '../../vocabulary/operations.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';

type PassThroughs = { readonly passThrough?: readonly PassThrough<unknown>[] } | undefined;

/** The provider's entries for passing this format through unchanged. */
export function passThroughsOf(
  channel: UpstreamChannel,
  format: CallerFormat,
): readonly PassThrough<unknown>[] {
  const operations: Readonly<Partial<Record<Operation, unknown>>> = channel.provider.operations;
  const adapter = operations[format.operation] as PassThroughs;
  return adapter?.passThrough?.filter((entry) => entry.format === format.name) ?? [];
}

/**
 * Whether a channel's provider can serve requests of this format: by passing them through or by
 * translation.
 */
export function canServe(channel: UpstreamChannel, format: CallerFormat): boolean {
  const { operations } = channel.provider;
  switch (format.kind) {
    case 'session':
      return operations.realtime !== undefined;
    case 'call':
      return (
        operations[format.operation] !== undefined || passThroughsOf(channel, format).length > 0
      );
    case 'conversation':
      return operations.chat !== undefined || passThroughsOf(channel, format).length > 0;
    case 'pass-through':
      return passThroughsOf(channel, format).length > 0;
  }
}

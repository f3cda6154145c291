import type { PassThrough } from '../../canonical/provider.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { Operation } from '../../vocabulary/operations.ts';
import { callFormat } from '../formats/calls.ts';
import { chatWireFormat } from '../formats/index.ts';
import type { RelayJob } from '../job.ts';

type PassThroughs = { readonly passThrough?: readonly PassThrough<unknown>[] } | undefined;

/** Formats that travel untouched for this kind of call. */
export function passThroughsOf(
  channel: UpstreamChannel,
  job: Pick<RelayJob, 'operation' | 'format'>,
): readonly PassThrough<unknown>[] {
  const operations: Readonly<Partial<Record<Operation, unknown>>> = channel.provider.operations;
  const adapter = operations[job.operation] as PassThroughs;
  return adapter?.passThrough?.filter((entry) => entry.format === job.format) ?? [];
}

/** Whether a channel's provider can do what the job asks: by the caller's own bytes or by translation. */
export function canServe(channel: UpstreamChannel, job: Pick<RelayJob, 'operation' | 'format'>): boolean {
  const { operations } = channel.provider;
  if (job.operation === 'realtime') return operations.realtime !== undefined;
  const format = callFormat(job.format);
  if (format !== undefined && operations[format.operation] !== undefined) return true;
  if (passThroughsOf(channel, job).length > 0) return true;
  return operations.chat !== undefined && chatWireFormat(job.format) !== undefined;
}

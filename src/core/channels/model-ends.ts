/** When models of channels end at those who serve them (docs/rules/models.md#ends). */
import { dayOf } from '../kernel/clock.ts';
import { knownModels } from '../models/known-models.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';

type Server = Pick<UpstreamChannel, 'provider' | 'models' | 'modelMapping'>;
type NamedServer = Server & Pick<UpstreamChannel, 'id' | 'name'>;

/** The end of a model, and what its vendor recommends instead. */
export interface ModelEnd {
  /** The first day without it, UTC: `2026-11-30`. */
  readonly ends: string;
  readonly successor?: string;
}

/** A model that ends, with the enabled channels for which it does on that day. */
export interface EndingModel extends ModelEnd {
  readonly model: string;
  readonly channels: readonly { readonly id: number; readonly name: string }[];
}

/** Days before the end on which operators learn of it. */
export const noticeDays = 30;
const dayMs = 24 * 3600_000;

/** From when an end is announced, in clock milliseconds. */
export const noticeTime = (ends: string): number => Date.parse(ends) - noticeDays * dayMs;

/** By the name that is sent to the channel's upstream. */
function endAt({ provider, modelMapping }: Server, model: string): ModelEnd | undefined {
  const sent = modelMapping[model] ?? model;
  const ends = knownModels.endOf(sent, provider);
  if (ends === undefined) return undefined;
  const successor = knownModels.find(sent).row?.successor;
  return { ends, ...(successor === undefined ? {} : { successor }) };
}

/** The end of a model at the last of these channels; undefined: one of them has no end for it. */
export function lastEnd(channels: Iterable<Server>, model: string): ModelEnd | undefined {
  let last: ModelEnd | undefined;
  for (const channel of channels) {
    const end = endAt(channel, model);
    if (end === undefined) return undefined;
    if (last === undefined || end.ends > last.ends) last = end;
  }
  return last;
}

/** Model → {@link lastEnd} over the channels that list it. */
export function lastEnds(channels: Iterable<Server>): ReadonlyMap<string, ModelEnd> {
  const servers = new Map<string, Server[]>();
  for (const channel of channels)
    for (const model of channel.models) {
      const known = servers.get(model);
      if (known === undefined) servers.set(model, [channel]);
      else known.push(channel);
    }
  const ends = [...servers].map(([model, serving]) => [model, lastEnd(serving, model)] as const);
  return new Map(ends.filter((entry): entry is [string, ModelEnd] => entry[1] !== undefined));
}

/**
 * Models that have ended at some channel or will within {@link noticeDays}, the earliest first.
 * `now`: milliseconds.
 */
export function endingModels(channels: Iterable<NamedServer>, now: number): readonly EndingModel[] {
  const until = dayOf(now + noticeDays * dayMs);
  const found = new Map<string, EndingModel>();
  for (const channel of channels)
    for (const model of channel.models) {
      const end = endAt(channel, model);
      if (end === undefined || end.ends > until) continue;
      const key = `${end.ends} ${model}`;
      const { id, name } = channel;
      found.set(key, {
        model,
        ...end,
        channels: [...(found.get(key)?.channels ?? []), { id, name }],
      });
    }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ending]) => ending);
}

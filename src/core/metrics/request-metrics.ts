/**
 * What monitoring counts of requests (docs/rules/process.md#metrics): by channel and model where a
 * channel was tried, so that names which callers invent never become labels. Counting is a lookup
 * and a few additions.
 */
import type { FinalOutcome, OutcomeRecorder } from '../logs/outcome-recorder.ts';
import type { ConversationTurn, TrafficEvent, TrafficMeter } from '../logs/traffic-meter.ts';
import { Histogram } from './histogram.ts';

/** Series of one channel and model. */
export interface AttemptSeries {
  readonly channelId: number;
  readonly model: string;
  ok: number;
  /** Streams that ended early. */
  cut: number;
  failed: number;
  readonly failedByStatus: Map<number, number>;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  quota: number;
  readonly duration: Histogram;
  readonly firstByte: Histogram;
}

/** What later turns of conversations cost, by whether they kept the account that has their cache. */
export interface TurnSeries {
  turns: number;
  promptTokens: number;
  cachedTokens: number;
}

export interface RequestMetrics {
  /** The same meter, counting along. */
  watchTraffic(meter: TrafficMeter): TrafficMeter;
  watchOutcomes(recorder: OutcomeRecorder): OutcomeRecorder;
  readonly outcomes: Readonly<Record<FinalOutcome, number>>;
  series(): readonly AttemptSeries[];
  readonly conversations: Readonly<Record<ConversationTurn, TurnSeries>>;
}

/** Pairs of channel and model; further models of a channel are counted together. */
const mostSeries = 1000;
export const otherModels = 'other';

export function createRequestMetrics(): RequestMetrics {
  const channels = new Map<number, Map<string, AttemptSeries>>();
  const outcomes: Record<FinalOutcome, number> = { succeeded: 0, failed: 0, refused: 0 };
  const conversations: Record<ConversationTurn, TurnSeries> = {
    kept: { turns: 0, promptTokens: 0, cachedTokens: 0 },
    moved: { turns: 0, promptTokens: 0, cachedTokens: 0 },
  };
  let count = 0;

  const make = (
    models: Map<string, AttemptSeries>,
    channelId: number,
    named: string,
  ): AttemptSeries => {
    const model = count < mostSeries ? named : otherModels;
    const known = models.get(model);
    if (known !== undefined) return known;
    count += 1;
    const made: AttemptSeries = {
      channelId,
      model,
      ok: 0,
      cut: 0,
      failed: 0,
      failedByStatus: new Map(),
      promptTokens: 0,
      completionTokens: 0,
      cachedTokens: 0,
      quota: 0,
      duration: new Histogram(),
      firstByte: new Histogram(),
    };
    models.set(model, made);
    return made;
  };

  const seriesOf = ({ channelId, model }: TrafficEvent): AttemptSeries => {
    let models = channels.get(channelId);
    if (models === undefined) {
      models = new Map();
      channels.set(channelId, models);
    }
    return models.get(model) ?? make(models, channelId, model);
  };

  const countAttempt = (event: TrafficEvent): void => {
    const series = seriesOf(event);
    if (event.firstByteMs === 0) {
      series.failed += 1;
      series.failedByStatus.set(event.status, (series.failedByStatus.get(event.status) ?? 0) + 1);
      return;
    }
    if (event.ok) series.ok += 1;
    else series.cut += 1;
    series.promptTokens += event.promptTokens;
    series.completionTokens += event.completionTokens;
    series.cachedTokens += event.cachedTokens;
    series.quota += event.quota;
    series.firstByte.observe(event.firstByteMs);
    series.duration.observe(event.durationMs);
    if (event.turn === undefined) return;
    const turn = conversations[event.turn];
    turn.turns += 1;
    turn.promptTokens += event.promptTokens;
    turn.cachedTokens += event.cachedTokens;
  };

  return {
    watchTraffic: (meter) => ({
      snapshot: meter.snapshot,
      record: (event) => {
        meter.record(event);
        countAttempt(event);
      },
    }),
    watchOutcomes: (recorder) => ({
      save: recorder.save,
      record: (userId, outcome, row) => {
        if (outcome !== null) outcomes[outcome] += 1;
        recorder.record(userId, outcome, row);
      },
    }),
    outcomes,
    conversations,
    series: () => [...channels.values()].flatMap((models) => [...models.values()]),
  };
}

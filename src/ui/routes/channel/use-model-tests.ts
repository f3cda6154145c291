import { useEffect, useRef, useState } from 'react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import type { EndpointType } from '../../../core/vocabulary/endpoint-types.ts';
import { client } from '../../client/api.ts';
import { failureText } from '../../client/failures.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';

export type ModelResult =
  | 'running'
  | { readonly ok: boolean; readonly message: string; readonly seconds: number };

interface TestOptions {
  /** Empty: what suits the model. */
  readonly endpoint_type: EndpointType | '';
  readonly stream: boolean;
}

/**
 * Tests of one channel's models, one after the other, with a result for each. `stop` lets the test
 * under way end and starts no other; leaving the component does the same.
 */
export function useModelTests({ id }: Pick<ChannelEntity, 'id'>) {
  const refresh = useRefreshChannels();
  const [results, setResults] = useState<ReadonlyMap<string, ModelResult>>(new Map());
  const [isStopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const stop = () => {
    stopped.current = true;
    setStopping(true);
  };
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const note = (model: string, result: ModelResult) =>
    setResults((before) => new Map(before).set(model, result));
  const ask = async (model: string, options: TestOptions): Promise<ModelResult> => {
    try {
      const { success, message, time } = await client.channel.test({ id, model, ...options });
      return { ok: success, message, seconds: time };
    } catch (error) {
      return { ok: false, message: failureText(error), seconds: 0 };
    }
  };
  const test = async (models: readonly string[], options: TestOptions): Promise<void> => {
    stopped.current = false;
    for (const model of models) {
      if (stopped.current) break;
      note(model, 'running');
      note(model, await ask(model, options));
    }
    setStopping(false);
    await refresh();
  };
  return { results, busy: [...results.values()].includes('running'), test, stop, isStopping };
}

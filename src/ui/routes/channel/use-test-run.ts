import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../client/failures.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';

export type TestOutcome =
  | 'running'
  | {
      readonly ok: boolean;
      readonly message: string;
      readonly seconds: number;
      /** The failure is that of the channel or key. */
      readonly atFault: boolean;
    };

interface Reply {
  readonly success: boolean;
  readonly message: string;
  readonly time: number;
  readonly at_fault?: boolean;
}

/**
 * Tests one after the other, with a result for each name. `stop` lets the test under way end and
 * starts no other; leaving the component does the same.
 */
export function useTestRun<Options>(call: (name: string, options: Options) => Promise<Reply>) {
  const refresh = useRefreshChannels();
  const [results, setResults] = useState<ReadonlyMap<string, TestOutcome>>(new Map());
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
  const note = (name: string, result: TestOutcome) =>
    setResults((before) => new Map(before).set(name, result));
  const ask = async (name: string, options: Options): Promise<TestOutcome> => {
    try {
      const { success, message, time, at_fault = false } = await call(name, options);
      return { ok: success, message, seconds: time, atFault: at_fault };
    } catch (error) {
      return { ok: false, message: failureText(error), seconds: 0, atFault: false };
    }
  };
  const test = async (names: readonly string[], options: Options): Promise<void> => {
    stopped.current = false;
    for (const name of names) {
      if (stopped.current) break;
      note(name, 'running');
      note(name, await ask(name, options));
    }
    setStopping(false);
    await refresh();
  };
  return { results, busy: [...results.values()].includes('running'), test, stop, isStopping };
}

/** What a run of the suite is told. */
import { parseArgs } from 'node:util';

export const usage = `Usage: npm run test:faults -- [options]

  --minutes N      how long it runs (2)
  --seed S         what happens, in which order (1)
  --engine E       sqlite or postgres (sqlite)
  --processes P    1 or 2 gateways; 2 share PostgreSQL and Redis (1)
  --faults a,b     only these kinds of fault
  --step K         only step K of the seed, after the warm-up
  --keep-going     goes on after a step that failed
  --list           names the kinds of fault
`;

export interface Settings {
  readonly minutes: number;
  readonly seed: number;
  readonly engine: 'sqlite' | 'postgres';
  readonly processes: 1 | 2;
  /** Undefined: all that can be had. */
  readonly faults: readonly string[] | undefined;
  readonly step: number | undefined;
  readonly keepGoing: boolean;
  readonly lists: boolean;
}

/** Undefined: help was requested. Throws TypeError. */
export function readSettings(words: readonly string[]): Settings | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      engine: { type: 'string', default: 'sqlite' },
      processes: { type: 'string', default: '1' },
      faults: { type: 'string' },
      step: { type: 'string' },
      'keep-going': { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { engine } = values;
  if (engine !== 'sqlite' && engine !== 'postgres')
    throw new TypeError(`--engine is sqlite or postgres, not ${engine}`);
  const processes = numberOf('--processes', values.processes);
  if (processes !== 1 && processes !== 2) throw new TypeError('--processes is 1 or 2');
  if (processes === 2 && engine === 'sqlite')
    throw new TypeError('two gateways need --engine postgres');
  return {
    minutes: numberOf('--minutes', values.minutes),
    seed: numberOf('--seed', values.seed),
    engine,
    processes,
    faults: values.faults?.split(',').filter((name) => name !== ''),
    step: values.step === undefined ? undefined : numberOf('--step', values.step),
    keepGoing: values['keep-going'],
    lists: values.list,
  };
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new TypeError(`${name} takes a number, not ${text}`);
  return value;
}

/** The command that repeats a step. */
export function commandFor({ engine, processes, seed, faults }: Settings, step: number): string {
  const only = faults === undefined ? '' : ` --faults ${faults.join(',')}`;
  return `npm run test:faults -- --engine ${engine} --processes ${processes} --seed ${seed} --step ${step}${only}`;
}

/** PostgreSQL and Redis: killed, frozen, slow, unreachable. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../src/demo/random.ts';
import type { Engine, Remote } from '../engine.ts';
import type { Link } from '../network.ts';
import type { Kind } from './kind.ts';

/** What both servers can be done to. */
interface Breakable {
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

interface ServerFaults {
  readonly name: string;
  find(engine: Engine): Remote<Breakable> | undefined;
  /** Ends it by kill -9. */
  kill(engine: Engine): Promise<void>;
}

const away = (random: Random) => sleep(random.between(500, 7000));
/** For what comes after it is back. */
const recovery = 1500;

function kindsOf({ name, find, kill }: ServerFaults): readonly Kind[] {
  const lacks = (engine: Engine) =>
    find(engine) === undefined ? `a gateway with ${name}` : undefined;
  const onLink = (what: string, change: (link: Link, random: Random) => void): Kind => ({
    name: `${name}-${what}`,
    lacks,
    run: async ({ site, random }) => {
      const link = find(site.engine)?.link;
      if (link === undefined) return;
      change(link, random);
      await away(random);
      link.set({ kind: 'open' });
      await sleep(recovery);
    },
  });
  return [
    {
      name: `${name}-killed`,
      lacks,
      run: async ({ site, random }) => {
        await kill(site.engine);
        await away(random);
        await find(site.engine)?.server.start();
        await sleep(recovery);
      },
    },
    {
      name: `${name}-frozen`,
      lacks,
      run: async ({ site, random }) => {
        const server = find(site.engine)?.server;
        server?.freeze();
        await away(random);
        server?.thaw();
        await sleep(recovery);
      },
    },
    onLink('slow', (link, random) => link.set({ kind: 'slow', ms: random.between(20, 300) })),
    onLink('swallowed', (link) => link.set({ kind: 'swallow' })),
    onLink('cut', (link) => link.set({ kind: 'cut' })),
  ];
}

export const serverKinds: readonly Kind[] = [
  ...kindsOf({
    name: 'postgres',
    find: ({ postgres }) => postgres,
    kill: async ({ postgres }) => postgres?.server.kill(),
  }),
  ...kindsOf({
    name: 'redis',
    find: ({ redis }) => redis,
    kill: async ({ redis }) => redis?.server.stop(),
  }),
];

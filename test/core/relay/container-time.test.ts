import { describe, expect, it } from 'vitest';
import type { SharedValues } from '../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { ContainerTime, type PaidContainer } from '../../../src/core/relay/container-time.ts';
import { createTestClock } from '../../support/app.ts';

const minute = 60_000;

function ofNewSite(): ContainerTime {
  return new ContainerTime(createMemoryCluster(createTestClock()).values('containers', () => 10));
}

/** Uses, each from one minute to another, of the container `c` by user 1. */
async function paid(time: ContainerTime, uses: readonly (readonly [number, number])[]) {
  const minutes: number[] = [];
  for (const [from, to] of uses) {
    const owed = await time.claim([{ id: 'c' }], 1, from * minute, to * minute);
    minutes.push(owed.minutes['container_minute'] ?? 0);
    await owed.keep();
  }
  return minutes;
}

describe('minutes of a container', () => {
  it.each([
    ['five at least', [[0, 1]], [5]],
    ['as long as its request', [[0, 7.2]], [8]],
    [
      'none of what is paid',
      [
        [0, 1],
        [2, 4],
      ],
      [5, 0],
    ],
    [
      'what goes beyond it',
      [
        [0, 1],
        [2, 7.5],
      ],
      [5, 3],
    ],
    [
      'what a later request takes',
      [
        [0, 1],
        [10, 11.5],
      ],
      [5, 2],
    ],
    [
      'a new one after 20 minutes without use',
      [
        [0, 1],
        [25, 26],
      ],
      [5, 5],
    ],
    [
      'still the same before',
      [
        [0, 1],
        [23.9, 24.9],
      ],
      [5, 1],
    ],
    [
      'requests at the same time, once',
      [
        [0, 3],
        [1, 4],
      ],
      [5, 0],
    ],
  ] as const)('%s', async (_, uses, minutes) => {
    expect(await paid(ofNewSite(), uses)).toEqual(minutes);
  });

  it('are of the size that it was made with', async () => {
    const time = ofNewSite();
    const made = await time.claim([{ id: 'c', size: '4g' }], 1, 0, minute);
    expect(made.minutes).toEqual({ container_minute_4g: 5 });
    const again = await time.claim([{ id: 'c' }], 1, 0, 8 * minute);
    expect(again.minutes).toEqual({ container_minute_4g: 3 });
  });

  it('are of each user, and of each container', async () => {
    const time = ofNewSite();
    const { minutes } = await time.claim([{ id: 'c' }, { id: 'd' }], 1, 0, 0);
    expect(minutes).toEqual({ container_minute: 10 });
    expect((await time.claim([{ id: 'c' }], 2, 0, 0)).minutes).toEqual({ container_minute: 5 });
  });

  it('of one without a name are paid each time', async () => {
    const time = ofNewSite();
    for (const _ of [1, 2])
      expect((await time.claim([{}], 1, 0, 0)).minutes).toEqual({ container_minute: 5 });
  });

  it('are owed by the next request where their charge did not reach the disk', async () => {
    const values = createMemoryCluster(createTestClock()).values<PaidContainer>(
      'containers',
      () => 10,
    );
    const claim = async (process: ContainerTime) => process.claim([{ id: 'c' }], 1, 0, minute);
    const first = new ContainerTime(values);
    const crashed = await claim(first);
    expect(crashed.minutes).toEqual({ container_minute: 5 });
    // While that charge is under way, in the same process: it pays.
    expect((await claim(first)).minutes).toEqual({ container_minute: 0 });
    const later = new ContainerTime(values);
    const refused = await claim(later);
    expect(refused.minutes).toEqual({ container_minute: 5 });
    refused.drop();
    const charged = await claim(later);
    expect(charged.minutes).toEqual({ container_minute: 5 });
    await charged.keep();
    expect((await claim(new ContainerTime(values))).minutes).toEqual({ container_minute: 0 });
  });

  it('are claimed by one of several charges that begin together', async () => {
    const time = ofNewSite();
    const claims = await Promise.all([1, 2, 3].map(() => time.claim([{ id: 'c' }], 1, 0, minute)));
    expect(claims.map(({ minutes }) => minutes['container_minute'])).toEqual([5, 0, 0]);
  });

  it('are paid as if it were new where nothing can be remembered', async () => {
    const broken: SharedValues<PaidContainer> = {
      get: () => Promise.reject(new Error('gone')),
      set: () => Promise.reject(new Error('gone')),
    };
    expect(
      await paid(new ContainerTime(broken), [
        [0, 1],
        [0, 1],
      ]),
    ).toEqual([5, 5]);
  });
});

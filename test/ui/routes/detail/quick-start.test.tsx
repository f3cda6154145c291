// Covers src/ui/routes/detail/quick-start.
// @vitest-environment happy-dom
/** The first channel on the dashboard (docs/rules/console.md#quick-start): what fails, in its own words. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChannelCatalog } from '../../../../src/core/channels/channel-catalog.ts';
import { builtInProviders } from '../../../../src/core/providers/index.ts';
import { channelStates } from '../../../../src/core/vocabulary/channel-states.ts';
import { client } from '../../../../src/ui/client/api.ts';
import { FirstSteps } from '../../../../src/ui/routes/detail/first-steps.tsx';
import {
  modelToTry,
  pricedFirst,
} from '../../../../src/ui/routes/detail/quick-start/use-quick-start.ts';
import { createMovingClock } from '../../../support/moving-clock.ts';
import {
  onCall,
  prepareConsole,
  prepareUser,
  Refusal,
  sent,
  show,
  WholeBody,
} from '../../support/render.tsx';

prepareConsole();
prepareUser(100);
beforeAll(async () => {
  await import('../../../../src/ui/routes/detail/quick-start/quick-start.tsx');
});

const types = createChannelCatalog(builtInProviders, createMovingClock(0)).types();
const row = (model_name: string, playground?: 'chat' | 'image') => ({
  model_name,
  playground,
  unpriced: false,
});
let channels = 0;
let tokens = 0;
beforeEach(() => {
  channels = 0;
  tokens = 0;
  onCall('GET /api/turnpike/overview', () => ({
    channel_states: Object.fromEntries(
      channelStates.map((state) => [state, state === 'working' ? channels : 0]),
    ),
    channels: [],
  }));
  onCall('GET /api/user/self', () => ({ request_count: 0 }));
  onCall(
    'GET /api/token/',
    () =>
      new WholeBody({
        success: true,
        message: '',
        data: Array.from({ length: tokens }, () => ({})),
      }),
  );
  onCall('GET /api/turnpike/channel/types', () => types);
  onCall('POST /api/channel/fetch_models', () => ['odd', 'dall-e-3', 'gpt-4o']);
  onCall('POST /api/turnpike/unpriced_models', () => ['odd']);
  onCall('POST /api/channel/', () => {
    channels = 1;
    return { ids: [7] };
  });
  onCall('PUT /api/channel/', () => ({}));
  onCall(
    'GET /api/pricing',
    () => new WholeBody({ success: true, data: [row('dall-e-3', 'image'), row('gpt-4o', 'chat')] }),
  );
  onCall('GET /api/channel/test/7', () => new WholeBody({ success: true, message: '', time: 0.5 }));
  onCall('POST /api/token/', () => {
    tokens = 1;
    return { key: 'abc' };
  });
});

const verify = async (text: string) => {
  fireEvent.change(await screen.findByLabelText('Key'), { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: 'Verify the key' }));
};
const callsTo = (call: string) => sent.filter((one) => one.call === call);

describe('the quick start', () => {
  it('takes the vendor from the key, connects what has a price, tests, makes a token, leads to the playground', async () => {
    show(<FirstSteps />);
    await verify('sk-ant-api03-x');
    await screen.findByText('no price');
    expect(callsTo('POST /api/channel/fetch_models')[0]?.body).toMatchObject({ type: 14 });
    fireEvent.click(screen.getByRole('button', { name: 'Connect 2 models' }));
    const link = await screen.findByRole('link', { name: 'Try gpt-4o' });
    expect(link.getAttribute('href')).toBe('/playground?model=gpt-4o');
    expect(callsTo('POST /api/channel/')[0]?.body).toMatchObject({
      type: 14,
      name: 'Claude',
      models: 'dall-e-3,gpt-4o',
    });
    await screen.findByText('gpt-4o passed its test in 0.50 s');
    expect(callsTo('POST /api/token/')).toHaveLength(1);
  });

  it('shows the upstream’s own sentence where the key is refused, and lets it be replaced', async () => {
    onCall('POST /api/channel/fetch_models', () => {
      throw new Refusal('upstream_error', 'Incorrect API key provided: sk-x');
    });
    show(<FirstSteps />);
    await verify('sk-x');
    await screen.findByText('Incorrect API key provided: sk-x');
    onCall('POST /api/channel/fetch_models', () => ['gpt-4o']);
    await verify('sk-y');
    await screen.findByRole('button', { name: 'Connect 1 model' });
    expect(screen.queryByText('Incorrect API key provided: sk-x')).toBeNull();
  });

  it('passes over the models of a key that was replaced meanwhile', async () => {
    const first = Promise.withResolvers<readonly string[]>();
    onCall('POST /api/channel/fetch_models', () => first.promise);
    show(<FirstSteps />);
    await verify('sk-x');
    await waitFor(() => expect(callsTo('POST /api/channel/fetch_models')).toHaveLength(1));
    onCall('POST /api/channel/fetch_models', () => ['gpt-4o']);
    await verify('sk-y');
    await screen.findByRole('button', { name: 'Connect 1 model' });
    first.resolve(['odd', 'dall-e-3', 'gpt-4o']);
    await waitFor(() => expect(callsTo('POST /api/turnpike/unpriced_models')).toHaveLength(2));
    // Its reply comes before the one to this.
    await client.system.status();
    expect(screen.queryByRole('button', { name: 'Connect 2 models' })).toBeNull();
  });

  it('shows the words of a failed test, makes no token, and tries again with the same channel', async () => {
    onCall(
      'GET /api/channel/test/7',
      () => new WholeBody({ success: false, message: 'No credit left at the vendor', time: 0 }),
    );
    show(<FirstSteps />);
    await verify('sk-x');
    fireEvent.click(await screen.findByRole('button', { name: 'Connect 2 models' }));
    await screen.findByText('No credit left at the vendor');
    expect(callsTo('POST /api/token/')).toHaveLength(0);
    onCall(
      'GET /api/channel/test/7',
      () => new WholeBody({ success: true, message: '', time: 0.5 }),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: 'Try gpt-4o' });
    expect([callsTo('POST /api/channel/').length, callsTo('PUT /api/channel/').length]).toEqual([
      1, 1,
    ]);
    expect(callsTo('POST /api/token/')).toHaveLength(1);
  });

  it('makes no second token', async () => {
    tokens = 1;
    show(<FirstSteps />);
    await verify('sk-x');
    fireEvent.click(await screen.findByRole('button', { name: 'Connect 2 models' }));
    await screen.findByRole('link', { name: 'Try gpt-4o' });
    expect(callsTo('POST /api/token/')).toHaveLength(0);
  });

  it('says that an upstream without models has none', async () => {
    onCall('POST /api/channel/fetch_models', () => []);
    show(<FirstSteps />);
    await verify('sk-x');
    await waitFor(() => screen.getByText('The upstream offers no model'));
  });
});

describe('what is chosen', () => {
  it('is first what has a price, each model once', () => {
    expect(pricedFirst(['b', 'a', 'b', 'c'], ['b'])).toEqual([
      { name: 'a', priced: true },
      { name: 'c', priced: true },
      { name: 'b', priced: false },
    ]);
  });

  it('is tried with a chat model, the vendor’s first before others', () => {
    const rows = [
      row('image', 'image'),
      row('one', 'chat'),
      row('two', 'chat'),
      row('other', 'chat'),
    ];
    expect(modelToTry(['image', 'one', 'two'], rows, ['two'])).toBe('two');
    expect(modelToTry(['image', 'one'], rows, ['two'])).toBe('one');
    expect(modelToTry(['image'], rows, [])).toBeUndefined();
  });
});

// @vitest-environment happy-dom
/** An order of a video whose reply is lost may have been accepted, and is charged then. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { client } from '../../../../src/ui/client/api.ts';
import { useSubmit } from '../../../../src/ui/routes/playground/video/use-submit.ts';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const [onAccepted, onLost, order] = [vi.fn(), vi.fn(), vi.fn<() => Promise<Response>>()];
const video = {
  model: 'wan2.1',
  group: '',
  prompt: 'a gate',
  size: '',
  image: '',
  seconds: undefined,
};

function Order() {
  const { isBusy, failure, submit } = useSubmit({ onAccepted, onLost });
  return (
    <button type="button" disabled={isBusy} onClick={() => void submit(video)}>
      {failure === undefined ? 'Order' : failure.error.code || 'failed'}
    </button>
  );
}

beforeEach(() => {
  for (const mock of [onAccepted, onLost, order]) mock.mockReset();
  const usual = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, request?: RequestInit) =>
    url === '/pg/videos/generations' ? order() : usual(url, request),
  );
});
const accepted = async () => Response.json({ data: { task_id: 'v1' } });
const press = () => fireEvent.click(screen.getByRole('button'));
const answer = async (name: string) => {
  const question = await screen.findByRole('alertdialog', { name: 'Do it again?' });
  fireEvent.click(within(question).getByRole('button', { name }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
};

it.each([
  ['no network', () => Promise.reject(new TypeError('lost')), 'gateway_unreachable'],
  ['the page of a proxy', async () => new Response('<html>', { status: 504 }), 'failed'],
  ['a reply that names no video', async () => Response.json({ data: {} }), 'stream_broken'],
])(
  '%s: the videos are read again, and the order is repeated after a question only',
  async (_, reply, text) => {
    show(<Order />);
    order.mockImplementation(reply);
    press();
    await screen.findByText(text);
    expect(onLost).toHaveBeenCalledOnce();
    order.mockImplementation(accepted);
    // The gateway is back, which the banner learns in the console.
    await client.system.status();
    press();
    await answer('Keep editing');
    await waitFor(() => expect(screen.getByRole('button')).toHaveProperty('disabled', false));
    expect(order).toHaveBeenCalledOnce();
    press();
    await answer('Do it again');
    await waitFor(() => expect(onAccepted).toHaveBeenCalledWith('v1'));
    press();
    await waitFor(() => expect(onAccepted).toHaveBeenCalledTimes(2));
  },
);

it('a refusal is repeated without a question', async () => {
  show(<Order />);
  order.mockImplementation(async () =>
    Response.json({ error: { message: 'no', code: 'insufficient_user_quota' } }, { status: 403 }),
  );
  press();
  await screen.findByText('insufficient_user_quota');
  order.mockImplementation(accepted);
  press();
  await waitFor(() => expect(onAccepted).toHaveBeenCalledWith('v1'));
  expect(onLost).not.toHaveBeenCalled();
});

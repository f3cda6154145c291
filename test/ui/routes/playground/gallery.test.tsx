// @vitest-environment happy-dom
// Covers src/ui/routes/playground/gallery.
/** What was made: each kind with its results, its cost, and what can be done with it again. */
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Gallery } from '../../../../src/ui/routes/playground/gallery/index.tsx';
import { onCall, prepareConsole, Refusal, show } from '../../support/render.tsx';

prepareConsole();

const task = (id: number, action: string, input: object, data: object) => ({
  id,
  action,
  quota: 20_000,
  submit_time: 1_790_000_000,
  created_at: 1_790_000_000,
  properties: { model: 'any-model', group: 'vip', input },
  data,
});
const onAgain = vi.fn();
const onEdit = vi.fn();

const list = (...items: object[]) => items;

/** Replies to the one call in turn: the kinds are asked for as they are chosen. */
function tasks(...replies: readonly object[]): void {
  let turn = 0;
  onCall('GET /api/task/self', () => replies[turn++]);
}
const choose = (kind: string) => fireEvent.click(screen.getByText(kind, { exact: true }));
const open = () => show(<Gallery onAgain={onAgain} onEdit={onEdit} />);
const card = (name: string) => screen.findByRole('article', { name });

beforeEach(() => {
  onAgain.mockClear();
  onEdit.mockClear();
});

test('an image is shown with its cost, used again and edited', async () => {
  const order = { prompt: 'a gate', size: '1024x1024' };
  tasks(list(task(1, 'IMAGE', order, { images: [{ url: '/pg/image/a' }] })));
  open();
  const gate = within(await card('a gate'));
  expect(gate.getByRole('img').getAttribute('src')).toBe('/pg/image/a');
  gate.getByText('any-model');
  gate.getByText('$0.040000');
  fireEvent.click(gate.getByRole('button', { name: 'Use again' }));
  expect(onAgain).toHaveBeenCalledWith(
    expect.objectContaining({ prompt: 'a gate', model: 'any-model', group: 'vip', input: order }),
  );
  fireEvent.click(gate.getByRole('button', { name: 'Edit' }));
  await vi.waitFor(() => expect(onEdit).toHaveBeenCalledOnce());
});

test('a video plays, says its cost, and is ordered again as it was', async () => {
  const order = { prompt: 'a bridge', size: '720x1280', duration: 8 };
  tasks(list(), list(task(2, 'VIDEO', order, { video_url: '/pg/video/b' })));
  const router = open();
  await screen.findByText('Nothing here yet');
  choose('Videos');
  const bridge = within(await card('a bridge'));
  expect(bridge.getByLabelText('a bridge 1').getAttribute('src')).toBe('/pg/video/b');
  bridge.getByText('$0.040000');
  expect(bridge.queryByRole('button', { name: 'Edit' })).toBeNull();
  fireEvent.click(bridge.getByRole('button', { name: 'Use again' }));
  const { pathname, search, state } = router.state.location;
  expect(pathname + search).toBe('/playground/video?model=any-model&enable_group=%5B%22vip%22%5D');
  expect(state).toEqual({ prompt: 'a bridge', size: '720x1280', seconds: 8 });
});

test('a song can be heard, a drawing seen; each says its cost', async () => {
  const song = [{ title: 'Toll', audio_url: '/pg/song/c' }];
  tasks(list(), list(task(3, 'MUSIC', { prompt: 'a song' }, song)));
  onCall('GET /api/mj/self', () =>
    list({
      id: 4,
      prompt: 'a sketch',
      image_url: '/mj/image/4',
      video_url: '',
      quota: 50_000,
      submit_time: 1_790_000_000_000,
    }),
  );
  open();
  await screen.findByText('Nothing here yet');
  choose('Music');
  const toll = within(await card('a song'));
  expect(toll.getByLabelText('a song 1').nodeName).toBe('AUDIO');
  toll.getByText('$0.040000');
  choose('Drawings');
  const sketch = within(await card('a sketch'));
  expect(sketch.getByRole('img').getAttribute('src')).toBe('/mj/image/4');
  sketch.getByText('$0.100000');
});

test('says once why something could not be deleted', async () => {
  tasks(list(task(1, 'IMAGE', { prompt: 'a gate' }, { images: [{ url: '/pg/image/a' }] })));
  onCall('DELETE /api/turnpike/self/tasks/1', () => {
    throw new Refusal('database_unavailable', 'The database cannot be reached');
  });
  open();
  fireEvent.click(within(await card('a gate')).getByRole('button', { name: 'Delete' }));
  const question = within(await screen.findByRole('alertdialog'));
  fireEvent.click(question.getByRole('button', { name: 'Delete' }));
  await screen.findByText('The database cannot be reached');
  expect(screen.getAllByText('The database cannot be reached')).toHaveLength(1);
});

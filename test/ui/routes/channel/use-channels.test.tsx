// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ChannelTag } from '../../../../src/core/contract/channel-tags.ts';
import { client } from '../../../../src/ui/client/api.ts';
import { keyOfRow } from '../../../../src/ui/routes/channel/channel-rows.ts';
import { useChannels } from '../../../../src/ui/routes/channel/use-channels.ts';
import { channel } from '../../support/channel.ts';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const east: ChannelTag = {
  tag: 'east',
  channels: 250,
  enabled: 250,
  disabled: 0,
  auto_disabled: 0,
  failed: 0,
  used_quota: 0,
  response_time: 0,
  groups: ['default'],
  priority: 0,
  weight: 0,
};

const list = vi.spyOn(client.channel, 'list');
beforeEach(() => {
  list.mockReset();
  vi.spyOn(client.channelTags, 'list').mockResolvedValue({ tags: [east], channels: [], total: 1 });
});

function Probe() {
  const { list: found, toggleTag } = useChannels();
  const rows = found.rows?.map((row) =>
    row.kind === 'tag' && row.broken ? `${keyOfRow(row)} broken` : String(keyOfRow(row)),
  );
  return (
    <>
      <output>{rows?.join(', ')}</output>
      <button type="button" onClick={() => toggleTag('east')}>
        east
      </button>
    </>
  );
}
const shows = (text: string) =>
  waitFor(() => expect(screen.getByRole('status').textContent).toBe(text));
const toggle = () => fireEvent.click(screen.getByRole('button', { name: 'east' }));

it('reads the channels of a tag when it is opened, of the status that the list shows', async () => {
  list.mockResolvedValue({ items: [{ ...channel, id: 5, tag: 'east' }], total: 250 });
  show(<Probe />, '/channel?tags=1&status=1&q=eu&sort=id');
  await shows('tag:east');
  expect(list).not.toHaveBeenCalled();
  toggle();
  await shows('tag:east, 5');
  // What finds the tag does not choose among its channels.
  const query = { tag: 'east', status: 1, keyword: '', id_sort: true, page_size: 100 };
  expect(list.mock.calls).toMatchObject([[query]]);
  toggle();
  await shows('tag:east');
});

it('says that the channels of a tag could not be read; opened again, it reads them again', async () => {
  list.mockRejectedValueOnce(new Error('refused'));
  show(<Probe />, '/channel?tags=1');
  await shows('tag:east');
  toggle();
  await shows('tag:east broken');
  list.mockResolvedValue({ items: [{ ...channel, id: 5, tag: 'east' }], total: 250 });
  toggle();
  await shows('tag:east');
  toggle();
  await shows('tag:east, 5');
});

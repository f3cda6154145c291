// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChannelEntity } from '../../../../src/core/contract/entities.ts';
import { ChannelStatus } from '../../../../src/ui/routes/channel/channel-status.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const channel = (marks?: ChannelEntity['marks']) =>
  ({ id: 3, status: 1, other_info: '', ...(marks && { marks }) }) as unknown as ChannelEntity;

it('a channel that loses money says so beside its status, all of it on focus', async () => {
  show(
    <ChannelStatus
      channel={channel([
        { kind: 'below_cost', text: 'gpt-4o: earned $1, and cost $3' },
        { kind: 'unpriced', text: '1 of 5 models has no price' },
      ])}
    />,
  );
  const mark = await screen.findByText('Below cost +1');
  mark.focus();
  expect((await screen.findByRole('tooltip')).textContent).toBe(
    'gpt-4o: earned $1, and cost $3\n1 of 5 models has no price',
  );
});

it('others have no mark', async () => {
  show(<ChannelStatus channel={channel()} />);
  expect((await screen.findByText('Enabled')).closest('span')?.parentElement?.textContent).toBe(
    'Enabled',
  );
});

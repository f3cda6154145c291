// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RedeemBox } from '../../../../src/ui/routes/topup/redeem-box.tsx';
import { onCall, prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

it.each([
  ['the redeemed code', ' first ', ''],
  ['the next code, typed meanwhile', 'second', 'second'],
])('after a code is redeemed, %s in the field: %j leaves %j', async (_what, typed, left) => {
  const reply = Promise.withResolvers<number>();
  onCall('POST /api/user/topup', () => reply.promise);
  show(<RedeemBox />);
  const field = (await screen.findByRole('textbox')) as HTMLInputElement;
  fireEvent.change(field, { target: { value: 'first' } });
  fireEvent.submit(field);
  fireEvent.change(field, { target: { value: typed } });
  reply.resolve(1);
  await screen.findByRole('dialog');
  await waitFor(() => expect(field.value).toBe(left));
});

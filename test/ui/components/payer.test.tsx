// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { payerFields, payerLimits } from '../../../src/core/entities/payer.ts';
import { PayerSettings } from '../../../src/ui/routes/personal/payer-settings.tsx';
import { onCall, prepareConsole, Refusal, show } from '../support/render.tsx';

prepareConsole();

const setting = JSON.stringify({
  payer_name: 'Ann',
  payer_tax_number: 'GB 1',
  notify_type: 'email',
});
const saved = () => Promise.resolve();

describe('the payer on receipts', () => {
  it('is shown and edited in the personal settings; a refusal keeps what was typed', async () => {
    show(<PayerSettings setting={setting} onSaved={saved} />);
    await screen.findByText('Ann · GB 1');
    onCall('PUT /api/user/setting', () => {
      throw new Refusal('invalid_parameter', 'Too long', 'payer_name');
    });
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
    const dialog = await screen.findByRole('dialog', { name: 'Payer on receipts' });
    const fields = within(dialog).getAllByRole<HTMLInputElement>('textbox');
    expect(fields.map(({ maxLength }) => maxLength)).toEqual(
      payerFields.map((name) => payerLimits[name]),
    );
    expect(fields.map(({ value }) => value)).toEqual(['Ann', '', 'GB 1']);
    fireEvent.change(within(dialog).getByLabelText('Name or company'), {
      target: { value: 'Ann Lee' },
    });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await screen.findByText(/Too long/);
    within(dialog).getByDisplayValue('Ann Lee');
  });

  it('says what it is for where nothing is saved', async () => {
    show(<PayerSettings setting="" onSaved={saved} />);
    await screen.findByText(/on the receipts of your payments, all optional/);
  });
});

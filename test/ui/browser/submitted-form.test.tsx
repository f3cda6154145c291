// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import '../../../src/ui/browser/submitted-form.ts';
import { storeUser } from '../../../src/ui/client/session.ts';
import { EmailDialog } from '../../../src/ui/routes/personal/bindings/email-dialog.tsx';
import { onCall, prepareConsole, Refusal, show } from '../support/render.tsx';

prepareConsole();
beforeEach(() => {
  const texts = { username: 'ann', display_name: '', nickname: '', portrait: '' };
  storeUser({ id: 1, role: 1, status: 1, group: 'default', ...texts });
});

const none = async () => undefined;
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const write = async (name: string, value: string) =>
  fireEvent.change(await field(name), { target: { value } });
const submit = () => {
  const button = screen.getByRole('button', { name: 'Link' });
  button.focus();
  fireEvent.click(button);
};
const hasFocus = (name: string) =>
  waitFor(async () => expect(document.activeElement).toBe(await field(name)));

it('focuses the first field that is wrong, each time', async () => {
  show(<EmailDialog onClose={none} onBound={none} />);
  await field('Email');
  submit();
  await hasFocus('Email');
  submit();
  await hasFocus('Email');
  await write('Email', 'a@example.org');
  submit();
  await hasFocus('Verification code');
});

it('focuses the field that the server refuses, unless its user writes on', async () => {
  let reply = () => {};
  onCall('GET /api/oauth/email/bind', async () => {
    await new Promise<void>((resolve) => {
      reply = resolve;
    });
    throw new Refusal('email_taken', 'Somebody has it', 'email');
  });
  show(<EmailDialog onClose={none} onBound={none} />);
  await write('Email', 'a@example.org');
  await write('Verification code', '123456');
  const refused = async () => {
    reply();
    await screen.findByText('Somebody has it');
  };
  submit();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Link' })).toHaveProperty('disabled', true),
  );
  await refused();
  await hasFocus('Email');
  await write('Email', 'b@example.org');
  submit();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Link' })).toHaveProperty('disabled', true),
  );
  const code = await field('Verification code');
  code.focus();
  fireEvent.input(code, { target: { value: '654321' } });
  await refused();
  expect(document.activeElement).toBe(code);
});

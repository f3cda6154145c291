// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FormDrawer } from '../../../src/ui/form/form-drawer.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

it.each([true, false])('fields rest while they are saved: %s', async (submitting) => {
  const nothing = () => undefined;
  show(
    <FormDrawer
      {...{ opened: true, title: 'A thing', changes: [], submitLabel: 'Save', creating: true }}
      {...{ submitting, onClose: nothing, onSubmit: nothing }}
    >
      <input aria-label="Name" />
    </FormDrawer>,
  );
  const field = await screen.findByLabelText('Name');
  expect(field.closest('[inert]') !== null).toBe(submitting);
});

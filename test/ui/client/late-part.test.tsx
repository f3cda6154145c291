// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Suspense, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { latePart } from '../../../src/ui/client/late-part.ts';
import { ConnectionBanner } from '../../../src/ui/shell/connection-banner.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

/** A file that comes once `there.is`, and how often it was requested. */
function file() {
  const there = { is: false, requests: 0 };
  const Dialog = latePart(async () => {
    there.requests += 1;
    if (!there.is) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: () => <p>The dialog</p> };
  });
  return { there, Dialog };
}

function Page({ Dialog }: { Dialog: ReturnType<typeof file>['Dialog'] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <ConnectionBanner />
      <input aria-label="Remark" />
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Suspense fallback={null}>{open && <Dialog />}</Suspense>
    </>
  );
}

const remark = () => screen.getByLabelText<HTMLInputElement>('Remark');

function openWithRemark(Dialog: ReturnType<typeof file>['Dialog']) {
  show(<Page Dialog={Dialog} />);
  fireEvent.change(remark(), { target: { value: 'typed' } });
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
}

describe('a dialog whose file does not load', () => {
  it('opens once the server is back; what was typed stays, and a message says why', async () => {
    const { there, Dialog } = file();
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    openWithRemark(Dialog);
    await screen.findByText(/could not be loaded because the gateway does not respond/);
    expect(remark().value).toBe('typed');
    there.is = true;
    vi.stubGlobal('fetch', fetch);
    fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
    await screen.findByText('The dialog');
    expect(remark().value).toBe('typed');
    await waitFor(() => expect(screen.queryByText(/could not be loaded/)).toBeNull());
  });

  it('is requested again at once where the server answers', async () => {
    const { there, Dialog } = file();
    openWithRemark(Dialog);
    there.is = true;
    await screen.findByText('The dialog');
    expect(there.requests).toBe(2);
  });

  it('offers a reload where the server has not got it, and keeps trying', async () => {
    const { there, Dialog } = file();
    openWithRemark(Dialog);
    await screen.findByText(/may have been updated/);
    expect(remark().value).toBe('typed');
    there.is = true;
    await screen.findByText('The dialog');
    await waitFor(() => expect(screen.queryByText(/may have been updated/)).toBeNull());
  });
});

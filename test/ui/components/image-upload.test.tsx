// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ImageUpload } from '../../../src/ui/components/image-upload/image-upload.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

/** Stands for the browser's requests, whose progress `fetch` does not have. */
class Sending {
  static last: Sending | undefined;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 200;
  responseText = '';
  address = '';
  form: FormData | undefined;
  isAborted = false;
  open(method: string, path: string) {
    this.address = `${method} ${path}`;
  }
  setRequestHeader() {}
  getResponseHeader = () => null;
  send(form: FormData) {
    this.form = form;
    Sending.last = this;
  }
  abort() {
    this.isAborted = true;
    this.onabort?.();
  }
  reply(body: object) {
    this.responseText = JSON.stringify(body);
    act(() => this.onload?.());
  }
}

const onChange = vi.fn();
const busy = vi.fn();

function Field({ initial = '' }: { readonly initial?: string }) {
  const [value, setValue] = useState(initial);
  const change = (url: string) => {
    onChange(url);
    setValue(url);
  };
  return <ImageUpload label="Logo" value={value} onChange={change} onBusy={busy} />;
}

beforeAll(() => vi.stubGlobal('XMLHttpRequest', Sending));
beforeEach(() => {
  onChange.mockClear();
  busy.mockClear();
  Sending.last = undefined;
});

const image = (bytes = 10, type = 'image/png') =>
  new File([new Uint8Array(bytes)], 'cat.png', { type });
const choose = (file: File) =>
  fireEvent.change(screen.getByLabelText('Logo', { selector: 'input' }), {
    target: { files: [file] },
  });

describe('the image field', () => {
  it('sends an image at once, shows its progress, and takes its path', async () => {
    show(<Field />);
    screen.getByText(/JPEG or PNG, at most 10 MB/);
    choose(image());
    await waitFor(() => expect(Sending.last?.address).toBe('POST /pg/upload/image'));
    expect(Sending.last?.form?.get('images')).toMatchObject({ name: 'cat.png' });
    expect(busy).toHaveBeenLastCalledWith(true);
    act(() => Sending.last?.upload.onprogress?.({ loaded: 3, total: 10 }));
    screen.getByLabelText('Uploading: 30%');
    Sending.last?.reply({
      success: true,
      message: '',
      data: { full_url: 'http://a/uploads/x.png', url: '/uploads/x.png', files: [] },
    });
    await waitFor(() => expect(onChange).toHaveBeenCalledWith('/uploads/x.png'));
    expect(screen.getByAltText('Preview of the image').getAttribute('src')).toBe('/uploads/x.png');
    await waitFor(() => expect(busy).toHaveBeenLastCalledWith(false));
    fireEvent.click(screen.getByRole('button', { name: 'Remove image' }));
    expect(onChange).toHaveBeenLastCalledWith('');
  });

  it('says why the server refused an image, and lets another be chosen', async () => {
    show(<Field />);
    choose(image());
    await waitFor(() => expect(Sending.last).toBeDefined());
    Sending.last?.reply({
      success: false,
      message: 'The image is damaged and cannot be used',
      code: 'image_damaged',
    });
    await screen.findByText('The image is damaged and cannot be used');
    expect(busy).toHaveBeenLastCalledWith(false);
    choose(image());
    expect(screen.queryByText('The image is damaged and cannot be used')).toBeNull();
  });

  it('refuses other types and large files without sending them', () => {
    show(<Field />);
    choose(image(10, 'image/gif'));
    screen.getByText('Unsupported image type. Use JPEG or PNG');
    choose(image(10 * 1024 * 1024 + 1));
    screen.getByText('The file is too large; the limit is 10 MB');
    expect(Sending.last).toBeUndefined();
  });

  it('keeps the earlier image when sending is cancelled', async () => {
    show(<Field initial="/uploads/old.png" />);
    choose(image());
    await waitFor(() => expect(Sending.last).toBeDefined());
    fireEvent.click(screen.getByRole('button', { name: 'Cancel upload' }));
    expect(Sending.last?.isAborted).toBe(true);
    expect(onChange).not.toHaveBeenCalled();
    expect(screen.getByAltText('Preview of the image').getAttribute('src')).toBe(
      '/uploads/old.png',
    );
  });

  it('shows a sign for an image that is gone', () => {
    show(<Field initial="/uploads/gone.png" />);
    fireEvent.error(screen.getByAltText('Preview of the image'));
    screen.getByRole('img', { name: 'The image cannot be shown' });
  });
});

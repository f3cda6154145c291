// Covers src/ui/routes/playground/chat/markdown.tsx.
// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Markdown } from '../../../../src/ui/routes/playground/chat/markdown.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

/** Shows an answer as it comes; returns what brings the next state of its text. */
function stream(first: string): (text: string) => void {
  let set: (text: string) => void = () => undefined;
  function Stream() {
    const [text, setText] = useState(first);
    set = setText;
    return <Markdown text={text} />;
  }
  show(<Stream />);
  return (text) => act(() => set(text));
}

test.each([
  ['a paragraph', 'See [the docs][1].'],
  ['a list', '- See [the docs][1].'],
  ['a quotation', '> See [the docs][1].'],
  ['a table', '| a |\n|---|\n| [the docs][1] |'],
])('links in %s by a reference whose address comes later lead there', (_, text) => {
  const next = stream(text);
  expect(screen.queryByRole('link')).toBeNull();
  next(`${text}\n\n[1]: https://example.com/docs`);
  expect(screen.getByRole('link', { name: 'the docs' }).getAttribute('href')).toBe(
    'https://example.com/docs',
  );
});

test('blocks of an answer that is still coming are not drawn anew', () => {
  const next = stream('one\n\ntwo');
  const one = screen.getByText('one');
  next('one\n\ntwo and\n\nthree');
  expect(screen.getByText('one')).toBe(one);
  screen.getByText('three');
});

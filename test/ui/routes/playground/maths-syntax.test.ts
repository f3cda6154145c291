/** What of an answer is a formula, and what is money. */
import { Marked } from 'marked';
import { expect, test } from 'vitest';
import { formulas } from '../../../../src/ui/routes/playground/chat/maths-syntax.ts';

const markdown = new Marked({ gfm: true, breaks: true, async: false });
markdown.use({ extensions: formulas });
const html = (text: string) => String(markdown.parse(text)).trim();
const inline = (text: string) => `<code lang="x-tex">${text}</code>`;
const display = (text: string) => `<code lang="x-tex-display">${text}</code>`;

test.each([
  ['where $a_1 * b * c$ is', `<p>where ${inline('a_1 * b * c')} is</p>`],
  ['$x$-axis', `<p>${inline('x')}-axis</p>`],
  [String.raw`\(a\,b\)`, `<p>${inline(String.raw`a\,b`)}</p>`],
  [String.raw`$\{a\}$`, `<p>${inline(String.raw`\{a\}`)}</p>`],
  ['**bold $x<y$**', `<p><strong>bold ${inline('x&lt;y')}</strong></p>`],
  ['so $$x^2$$ it is', `<p>so ${display('x^2')} it is</p>`],
  ['$$\na\\\\\nb\n$$', `<p>${display('a\\\\\nb')}</p>`],
  ['text\n\\[ a_b \\]\nmore', `<p>text</p>\n<p>${display('a_b')}</p><p>more</p>`],
  [String.raw`\[ a \\[2pt] b \]`, `<p>${display(String.raw`a \\[2pt] b`)}</p>`],
  [String.raw`\(a\\\)`, `<p>${inline(String.raw`a\\`)}</p>`],
  [String.raw`\(a \(b\)`, `<p>(a ${inline('b')}</p>`],
  ['- one\n\n  $$x$$', `<ul>\n<li><p>one</p>\n<p>${display('x')}</p></li>\n</ul>`],
])('%j has a formula', (text, expected) => expect(html(text)).toBe(expected));

test.each([
  'It costs $5, or $10 for two.',
  'from $5 to $10',
  'between $5-$10',
  '`$x$` as code',
  '```\n$$x$$\n```',
  'a $ b $ c',
  'unfinished $x',
  'unfinished $$x + \n\n y$$',
  '$$ $$',
  '\\(a\\\n\nb\\)',
  '\\[a\\\n\nb\\]',
])('%j has none', (text) => expect(html(text)).not.toContain('x-tex'));

test('a long line of dollars is read in no time', () => {
  expect(html('$a '.repeat(20_000))).not.toContain('x-tex');
}, 5000);

// Where each beginning searched the whole rest for its end, the test would end by its limit.
test.each([
  ['beginnings of inline formulas', String.raw`\(`.repeat(600_000)],
  ['beginnings of displayed formulas', String.raw`\[`.repeat(600_000)],
  ['short paragraphs', 'a\n\n'.repeat(400_000)],
])('a long text of %s is read in one pass', (_, text) => {
  expect(html(text)).not.toContain('x-tex');
});
